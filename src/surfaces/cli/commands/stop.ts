/** `looper stop`: stops the agents gracefully and pauses the run. */
import { plural } from '../../../views/text/format.ts'
import { namesOf } from '../../../views/status/left-behind.ts'
import { facts, reasonOf } from '../../../views/facts/progress.ts'
import type { OrderReceipt } from '../../../api/control.ts'
import type { ReadRun } from '../../../api/runs.ts'
import { orderArgument, type CommandSpec } from '../command.ts'
import { say } from '../say.ts'

/** Long enough for agents to stop by themselves before they are killed. */
const patienceMs = 120_000

export const command: CommandSpec<{ wait?: boolean }> = {
  arguments: [orderArgument],
  options: [['--no-wait', 'do not wait until it has stopped']],
  examples: [
    ['looper stop', 'the run that is under way'],
    ['looper stop auth', 'the run of the session "auth"'],
    ['looper stop 3', 'ends the agents of a crashed run'],
    ['looper resume', 'continues later; nothing is lost'],
  ],
  async run(context, [run = null], { wait }) {
    const { app } = context
    const receipt = await app.sendOrder(run, { do: 'stop' })
    const rested = receipt.live && wait !== false ? await app.rest(receipt.run, patienceMs) : undefined
    const said = receipt.live ? text(receipt, rested) : endedText(receipt)
    say(context, `${receipt.run}: ${said}`)
    return rested === null ? 1 : 0
  },
}

/** The text for a crashed run, whose engine was gone already. */
const endedText = ({ run, ended = [] }: OrderReceipt): string =>
  `crashed; ended ${plural(ended.length, 'agent')} (${namesOf(ended)}); `
  + `\`looper resume ${run}\` continues it from the journal`

/** `rested` is undefined without a wait, and null when the wait timed out. */
function text({ run, woken }: OrderReceipt, rested: ReadRun | null | undefined): string {
  const before = woken === undefined ? '' : `its process ${woken} was suspended and has been continued; `
  if (rested === undefined) return `${before}asked to stop; \`looper resume ${run}\` continues it later`
  if (rested !== null) return before + outcome(rested)
  return (
    `${before}asked to stop, but it is still under way after ${patienceMs / 1000} s; `
    + `\`looper status ${run}\` names its process: `
    + `\`kill -KILL <pid>\` ends it, \`looper stop ${run}\` its agents, and \`looper resume ${run}\` continues it`
  )
}

function outcome({ state }: ReadRun): string {
  const { status, run } = state
  if (status === 'running') return `its process ended; \`looper resume ${run}\` continues it from the journal`
  const reason = reasonOf(state)
  return facts(
    reason === null ? status : `${status} (${reason})`,
    status === 'paused' && `\`looper resume ${run}\` continues it`,
  )
}
