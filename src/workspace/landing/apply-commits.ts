/** The commits that `looper apply` makes: a merge, one commit for the run, or the run's commits replayed. */
import { firstNames } from '../../model/and-more.ts'
import { LooperError } from '../../model/error.ts'
import type { ApplyStyle } from '../../model/config.ts'
import { plain } from '../../views/text/plain-text.ts'
import { git, type GitCall } from '../git/git.ts'
import { mergeTrees, type Merged } from '../git/merge-trees.ts'
import { makeCommit } from './commit.ts'

export interface ToCommit {
  style: ApplyStyle
  run: string
  branch: string
  /** The user's branch, and the run's. */
  head: string
  tip: string
  /** The newest commit of the run that the user's branch already has under another id; null: none. */
  from: string | null
  /** The user's branch has commits that the run branch does not have. */
  moved: boolean
  /** The message of a squashed run. */
  squash: string
}

/** A commit to make on the one before it; the first one goes on the user's branch. */
export interface NewLink {
  tree: string
  message: string
  /** Further parents. */
  more: readonly string[]
  /** Variables for the author; empty: the user. */
  author: Record<string, string>
}

/** No commit is needed for a fast-forward. Throws WORKSPACE_APPLY on a conflict. */
export async function linksFor(request: ToCommit, call: GitCall): Promise<NewLink[]> {
  const { style, run, branch, head, tip, moved } = request
  if (!moved && style !== 'squash') return []
  if (style === 'rebase') return replayed(request, call)
  const merged = await mergedWith(request, call)
  if (!merged.clean) throw conflicting(request, merged.conflicts)
  // Every change of the run is in the user's branch already: a merge would be empty.
  if (merged.tree === (await git(['rev-parse', '--verify', `${head}^{tree}`], call))) return []
  const message = style === 'squash' ? request.squash : `Merge branch '${plain(branch)}'\n\nLooper-Run: ${plain(run)}\n`
  return [{ tree: merged.tree, message, more: style === 'squash' ? [] : [tip], author: {} }]
}

const mergedWith = ({ from, head, tip }: ToCommit, call: GitCall): Promise<Merged> =>
  from === null ? mergeTrees(head, tip, call) : mergeOver(from, head, tip, call)

export async function makeLinks(head: string, links: readonly NewLink[], call: GitCall): Promise<string> {
  let parent = head
  for (const { tree, message, more, author } of links) {
    parent = await makeCommit(
      { tree, parents: [parent, ...more], message },
      { ...call, env: { ...call.env, ...author } },
    )
  }
  return parent
}

/** A commit whose change is in the user's branch already is left out. */
async function replayed(request: ToCommit, call: GitCall): Promise<NewLink[]> {
  const { head, run } = request
  const links: NewLink[] = []
  let onto = await git(['rev-parse', '--verify', `${head}^{tree}`], call)
  for (const { commit, parents, tree, author, message } of await runCommits(request, call)) {
    const [parent] = parents
    if (parent === undefined || parents.length > 1) {
      throw new LooperError('WORKSPACE_APPLY', `${commit.slice(0, 8)} of ${run} is a merge: it cannot be replayed.`, {
        hint: `Nothing was changed. \`looper apply ${plain(run)} --squash\` makes one commit of the run.`,
      })
    }
    const merged = await mergeOver(parent, onto, tree, call)
    if (!merged.clean) {
      const isMergeable = (await mergedWith(request, call)).clean
      throw conflicting(request, merged.conflicts, { subject: message.split('\n')[0], isMergeable })
    }
    if (merged.tree !== onto) links.push({ tree: merged.tree, message, more: [], author })
    onto = merged.tree
  }
  return links
}

interface RunCommit {
  commit: string
  parents: string[]
  tree: string
  author: Record<string, string>
  message: string
}

const fields = ['%H', '%P', '%T', '%an', '%ae', '%ad', '%B']

/** The run's commits that the user's branch does not have, oldest first. */
async function runCommits({ head, tip, from }: ToCommit, call: GitCall): Promise<RunCommit[]> {
  const not = [head, ...(from === null ? [] : [from])].map((commit) => `^${commit}`)
  const listed = await git(
    ['log', '-z', '--reverse', '--topo-order', '--date=raw', `--format=${fields.join('%x00')}`, tip, ...not, '--'],
    call,
  )
  const values = listed.split('\0')
  return Array.from({ length: Math.floor(values.length / fields.length) }, (_, at) => {
    const [commit = '', parents = '', tree = '', name = '', email = '', date = '', text = ''] = values.slice(
      at * fields.length,
    )
    return {
      commit,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      tree,
      author: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
      message: `${text.trimEnd()}\n`,
    }
  })
}

/** Merges two trees over a third one. Older versions of git take only commits, so each tree gets one. */
async function mergeOver(base: string, ours: string, theirs: string, call: GitCall): Promise<Merged> {
  const treeOf = (object: string): Promise<string> => git(['rev-parse', '--verify', `${object}^{tree}`], call)
  const commitOf = async (object: string, parents: string[]): Promise<string> =>
    makeCommit({ tree: await treeOf(object), parents, message: 'One side of a merge\n' }, call)
  const common = await commitOf(base, [])
  return mergeTrees(await commitOf(ours, [common]), await commitOf(theirs, [common]), call)
}

function conflicting(
  { run, branch }: ToCommit,
  conflicts: readonly string[],
  { subject, isMergeable = false }: { subject?: string | undefined; isMergeable?: boolean } = {},
): LooperError {
  const what = subject === undefined ? 'The run' : `The commit "${plain(subject, 60)}"`
  const byHand = `Run \`git merge ${plain(branch)}\` and resolve it by hand.`
  return new LooperError(
    'WORKSPACE_APPLY',
    `${what} conflicts with your branch in ${naming(conflicts)}. Nothing was changed.`,
    {
      hint: isMergeable ? `A merge has no conflict: looper apply ${plain(run)} --merge` : byHand,
      details: { conflicts },
    },
  )
}

/** At most three paths. */
export const naming = (paths: readonly string[]): string =>
  firstNames(
    paths.map((path) => plain(path)),
    3,
  ) || 'some files'
