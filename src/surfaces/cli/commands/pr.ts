/** `looper pr`: opens a pull request from the branch of a run, with `gh`. */
import { jsonText } from '../../../views/text/json-text.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { branchOptions, branchRequest, pushedText, type BranchOptions } from './branch.ts'

interface Options extends BranchOptions {
  draft?: boolean
  base?: string
}

export const command: CommandSpec<Options> = {
  arguments: [runArgument],
  options: [
    ['--draft', 'open it as a draft'],
    ['--base <branch>', 'the branch to merge into (default: the one that the run started from)'],
    ...branchOptions,
  ],
  examples: [
    ['looper pr', 'pushes the branch of the newest run and opens a pull request'],
    ['looper pr 3 --draft --base develop', ''],
  ],
  async run({ app, out }, [run = null], options) {
    const { draft = false, base = null } = options
    const opened = await app.openPullRequest(run, { ...branchRequest(options), draft, base })
    if (options.json === true) out.write(`${jsonText(opened, 2)}\n`)
    else {
      const what = opened.open ? 'The pull request was open already' : `Opened "${plain(opened.title, 120)}"`
      out.write(`${pushedText({ ...opened, said: [] })}${what}: ${plain(opened.url, 300)}\n`)
    }
    return 0
  },
}
