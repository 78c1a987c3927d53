/** Shows `looper doctor --checks`: each command with its time and result, as soon as it has ended. */
import type { DoctorRow } from '../../api/upkeep.ts'
import { cut } from '../../views/text/columns.ts'
import { age } from '../../views/text/format.ts'
import { jsonText } from '../../views/text/json-text.ts'
import { plain } from '../../views/text/plain-text.ts'
import { widthOf, type CliContext } from './context.ts'
import { rowText } from './doctor-rows.ts'
import { createLiveLine } from './live-line.ts'
import { untilStopped } from './until-stopped.ts'

const nameWidth = 12

/** Returns the exit code: 1 when a command failed. */
export async function showCheckBase(context: CliContext, json: boolean): Promise<number> {
  const { app, io, out, paint } = context
  const rows: DoctorRow[] = []
  let running: { command: string; since: string } | null = null
  const runningText = (width: number): string => {
    if (running === null) return ''
    const ms = Date.parse(io.now()) - Date.parse(running.since)
    return paint.faint(cut(`● ${plain(running.command)} · ${age(ms)}`, width))
  }
  const live = !json && io.isTTY && io.env.TERM !== 'dumb' ? createLiveLine(out, io, runningText) : null
  const print = (text: string): void => (live === null ? out.write(text) : live.print(text.trimEnd()))
  const interrupted = await untilStopped(context, true, async (signal) => {
    try {
      await app.checkBase({
        signal,
        onStart: (command) => {
          running = { command, since: io.now() }
        },
        onRow(row) {
          rows.push({ check: row.check, ok: row.ok, detail: row.detail, hint: row.hint })
          if (!json) print(rowText(row, nameWidth, paint, widthOf(io)))
        },
      })
    } finally {
      live?.end()
    }
  })
  if (json) out.write(`${jsonText(rows, 2)}\n`)
  return interrupted !== 0 ? interrupted : rows.every(({ ok }) => ok) ? 0 : 1
}
