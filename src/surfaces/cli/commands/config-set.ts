/** `looper config set`: changes a setting in a file, and keeps the formatting of the rest. */
import { LooperError } from '../../../api/error.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { ConfigChanged } from '../../../api/settings.ts'
import type { CommandSpec } from '../command.ts'
import { warn } from '../warn.ts'

interface Options {
  user?: boolean
  project?: boolean
  unset?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [
    ['<key>', 'a key with dots, like limits.costUsd'],
    ['[values...]', 'a value; several make a list, each may be JSON'],
  ],
  options: [
    ['--project', 'in .looper/config.json (the default)'],
    ['--user', 'in your own file, for all projects'],
    ['--unset', 'remove the key from the file'],
  ],
  examples: [
    ['looper config set limits.costUsd 5', ''],
    ['looper config set checks "npm test" "npm run lint"', 'a list'],
    ['looper config set --user agents.claude.model opus', 'for all projects'],
    ['looper config set limits.turns --unset', 'back to the inherited value'],
  ],
  async run(context, [key = '', ...values], { user = false, project = false, unset = false }) {
    const { app, out } = context
    if (user && project) throw new LooperError('USAGE_ARGUMENTS', '--user and --project cannot be used together')
    if (unset === values.length > 0) {
      const what = unset ? '--unset takes no value' : 'there is no value to set'
      throw new LooperError('USAGE_ARGUMENTS', what, { hint: 'For example: looper config set parallel 2' })
    }
    const done = await app.configSet({ key, values: unset ? null : values, file: user ? 'user' : 'project' })
    out.write(`${plain(changeText(done), 300)}\n`)
    warn(context, done.notes)
    return 0
  },
}

function changeText({ key, value, changed, where }: ConfigChanged): string {
  if (value === undefined) return `${key} ${changed ? 'removed from' : 'is not in'} ${where}`
  const text = `${key} ${changed ? 'is now' : 'was already'} ${JSON.stringify(value)} in ${where}`
  return changed || !isForBase(key) ? text : `${text}; a run with another value from an option: ${takeOver}`
}

/** A remedy of the checks on the base may be in the file already, while the run uses what its options said. */
const isForBase = (key: string): boolean => key === 'checks' || key === 'baseline'
const takeOver = 'looper resume --settings uses this one'
