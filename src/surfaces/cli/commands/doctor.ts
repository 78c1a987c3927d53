/**
 * `looper doctor`: checks that a run has everything it needs and that the journals are intact. With a run, explains its
 * state.
 */
import { LooperError } from '../../../api/error.ts'
import type { Paint } from '../../../views/paint.ts'
import { explanationText } from '../../../views/explain.ts'
import { align } from '../../../views/columns.ts'
import { jsonText } from '../../../views/json-text.ts'
import { plain } from '../../../views/plain-text.ts'
import type { DoctorRow } from '../../../api/upkeep.ts'
import type { CommandSpec } from '../command.ts'
import { widthOf } from '../context.ts'

export const command: CommandSpec<{ json?: boolean; repair?: boolean }> = {
  arguments: [['[run]', 'explain this run: its id, its number, or words of its goal']],
  options: [
    ['--repair', 'set damaged parts of journals aside; nothing is deleted'],
    ['--json', 'for programs'],
  ],
  examples: [
    ['looper doctor', ''],
    ['looper doctor 3', 'explains the state of run 3 and what comes next'],
    ['looper doctor --repair', 'after "the journal is damaged"'],
  ],
  async run({ app, io, out, paint }, [run], { json, repair = false }) {
    if (run !== undefined) {
      if (repair) {
        throw new LooperError('USAGE_ARGUMENTS', '--repair is for all journals, not for one run', {
          hint: 'looper doctor --repair',
        })
      }
      const explanation = await app.explain(run)
      out.write(json === true ? `${jsonText(explanation, 2)}\n` : explanationText(explanation, paint, widthOf(io)))
      return 0
    }
    const rows = (await app.doctor({ repair })).map(({ check, ok, detail, hint }) => ({ check, ok, detail, hint }))
    out.write(json === true ? `${jsonText(rows, 2)}\n` : rowsText(rows, paint))
    return rows.every(({ ok }) => ok) ? 0 : 1
  },
}

function rowsText(rows: readonly DoctorRow[], paint: Paint): string {
  // A passing row with a hint is information, not a failure.
  const mark = ({ ok, hint }: DoctorRow): string =>
    !ok ? paint.bad('✗') : hint === null ? paint.good('✓') : paint.warn('·')
  const lines = align(rows.map((row) => [`${mark(row)} ${plain(row.check, 40)}`, plain(row.detail, 200)]))
  return lines
    .flatMap((line, index) => {
      const hint = rows[index]?.hint ?? null
      return hint === null ? [line] : [line, `    ${plain(hint, 200)}`]
    })
    .map((line) => `${line}\n`)
    .join('')
}
