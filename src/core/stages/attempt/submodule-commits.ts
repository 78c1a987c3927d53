/**
 * Warns about landed commits inside a submodule that are not pushed: at most the user's own copy of the submodule, or
 * the user's repository, has them.
 */
import type { Fact } from '../../../model/event.ts'
import type { SubmoduleCommit } from '../../../model/work.ts'

const title = 'a commit inside a submodule is not pushed'

const noCopyText = (kept: string | null): string =>
  `${kept === null ? 'which Looper could not copy' : `which is only in your repository, as ${kept}`}; others cannot `
  + "clone the run branch with its submodules until that commit is in the submodule's remote"

const whereText = (kept: string | null): string =>
  kept === null
    ? "which Looper could not copy to the checkout's copy of the submodule; others cannot clone the run branch with "
      + "its submodules until that commit is in the submodule's remote"
    : `which is only in the checkout's copy of the submodule, as ${kept}; others cannot clone the run branch with its `
      + 'submodules until it is pushed from there'

const lineOf = ({ path, commit, kept, noCopy }: SubmoduleCommit): string =>
  `the submodule \`${path}\` is at the commit ${commit.slice(0, 12)}, ` + (noCopy ? noCopyText(kept) : whereText(kept))

export const unpushedCommits = (
  submodules: readonly SubmoduleCommit[],
  task: string | null,
  work: string,
): Fact<'finding.raised'>[] =>
  submodules.length === 0
    ? []
    : [
        {
          type: 'finding.raised',
          severity: 'WARNING',
          title,
          detail: submodules.map(lineOf).join('\n'),
          task,
          origin: `${work}/submodule-commits`,
        },
      ]
