/** `looper branch`: pushes the branch of a run to a remote. */
import type { BranchRequest, PushedBranch } from '../../../api/publish.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import type { OptionLine } from '../option.ts'

export interface BranchOptions {
  remote?: string
  name?: string
  force?: boolean
  forceWithLease?: boolean
  json?: boolean
}

export const branchOptions: readonly OptionLine[] = [
  ['--remote <name>', 'the remote to push to (default: the one that your branch follows, else origin)'],
  ['--name <branch>', 'the name of the branch there (default: as here)'],
  ['--force', 'also when the run is not completed'],
  ['--force-with-lease', 'replace the branch there, if it is as last seen'],
  ['--json', 'print JSON'],
]

export const branchRequest = (options: BranchOptions): BranchRequest => ({
  remote: options.remote ?? null,
  name: options.name ?? null,
  force: options.force === true,
  forceWithLease: options.forceWithLease === true,
})

export function pushedText({ run, remote, branch, commit, already, said }: PushedBranch): string {
  const what = already
    ? `${run}: ${remote} has ${branch} at ${commit.slice(0, 8)} already.`
    : `Pushed ${run} to ${remote} as ${branch}, at ${commit.slice(0, 8)}.`
  return [what, ...said].map((line) => `${plain(line, 300)}\n`).join('')
}

export const command: CommandSpec<BranchOptions> = {
  arguments: [runArgument],
  options: branchOptions,
  examples: [
    ['looper branch', 'pushes the branch of the newest run'],
    ['looper branch 3 --name add-json-flag', 'under another name'],
    ['looper pr', 'also opens a pull request'],
  ],
  async run({ app, out }, [run = null], options) {
    const pushed = await app.pushBranch(run, branchRequest(options))
    out.write(options.json === true ? `${jsonText(pushed, 2)}\n` : pushedText(pushed))
    return 0
  },
}
