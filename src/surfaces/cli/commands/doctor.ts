/**
 * `looper doctor`: checks that a run has everything it needs and that the journals are intact. With a run, explains its
 * state.
 */
import { LooperError } from '../../../api/error.ts'
import { explanationText } from '../../../views/status/explain.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { CommandSpec } from '../command.ts'
import { widthOf } from '../context.ts'
import { rowsText } from '../doctor-rows.ts'

interface Options {
  json?: boolean
  repair?: boolean
  checks?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [['[run]', 'explain this run: its id, its number, or words of its goal']],
  options: [
    ['--checks', 'run set-up and every check on the newest commit, and show the time and result of each'],
    ['--repair', 'set damaged parts of journals aside; nothing is deleted'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper doctor', ''],
    ['looper doctor --checks', 'do the checks pass before a run?'],
    ['looper doctor 3', 'explains the state of run 3 and what comes next'],
    ['looper doctor --repair', 'after "the journal is damaged"'],
  ],
  async run(context, [run], { json = false, repair = false, checks = false }) {
    const { app, io, out, paint } = context
    refuseTogether(run, { repair, checks })
    if (run !== undefined) {
      const explanation = await (json ? app.explain(run) : app.explain(run, io.zone))
      out.write(json ? `${jsonText(explanation, 2)}\n` : explanationText(explanation, paint, widthOf(io)))
      return 0
    }
    if (checks) return (await import('../check-base.ts')).showCheckBase(context, json)
    const rows = (await app.doctor({ repair })).map(({ check, ok, detail, hint }) => ({ check, ok, detail, hint }))
    out.write(json ? `${jsonText(rows, 2)}\n` : rowsText(rows, paint, widthOf(io)))
    return rows.every(({ ok }) => ok) ? 0 : 1
  },
}

function refuseTogether(run: string | undefined, { repair, checks }: { repair: boolean; checks: boolean }): void {
  if (repair && checks)
    throw new LooperError('USAGE_ARGUMENTS', '--checks and --repair cannot be used together', {
      hint: 'Give one of them.',
    })
  const flag = repair ? '--repair' : checks ? '--checks' : null
  if (run === undefined || flag === null) return
  const what = repair ? 'is for all journals' : 'is for the newest commit of your branch'
  throw new LooperError('USAGE_ARGUMENTS', `${flag} ${what}, not for one run`, { hint: `looper doctor ${flag}` })
}
