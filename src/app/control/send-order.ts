/** Sends the user's order to a run: through its inbox when it is live, into its journal when it rests. */
import { receive } from '../../core/commands.ts'
import { concludeUntilQuiet } from '../../core/conclude-until-quiet.ts'
import type { Recorder } from '../../engine/recorder.ts'
import { LooperError } from '../../model/error.ts'
import type { Fact } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import { rollbackName } from '../../model/rollback-name.ts'
import type { RunState } from '../../model/state.ts'
import { runKey } from '../../platform/mark.ts'
import { endRun } from '../../platform/end-run.ts'
import type { Order, OrderReceipt } from '../../api/control.ts'
import { endLeft } from '../runs/left-behind.ts'
import { readState } from '../runs/read-run.ts'
import { withRestingRun } from '../runs/resting-run.ts'
import { catchUp, rollBackNow } from './roll-back.ts'
import { runOf } from '../runs/runs.ts'

/** Orders for which a suspended process is continued. All others wait until the user continues it. */
const endsRun: ReadonlySet<Order['do']> = new Set(['stop', 'abort'])

/** Updates the task source of a resting run; resolves with the reason when that fails. */
type Rested = (root: string, state: RunState) => Promise<string | null>

export async function sendOrder(
  root: string,
  id: string,
  order: Order,
  onRested: Rested = async () => null,
): Promise<OrderReceipt> {
  const run = runOf(root, id)
  const lock = await run.lock.acquire()
  if (lock === null) {
    const known = await readState(run)
    const received = receive(known, { ...order, id: 'ask' })
    refuse(received, id)
    await run.inbox.send(order)
    const woken = endsRun.has(order.do) ? await run.lock.wakeHolder() : null
    await run.lock.nudge()
    const target = 'fact' in received ? targetOf(known, received.fact) : {}
    return { run: id, live: true, ...(woken === null ? {} : { woken }), ...target }
  }
  try {
    const ended = order.do === 'stop' ? await endLeft(run.folder, await readState(run)) : []
    if (ended.length > 0) return { run: id, live: false, ended }
    const { fact, state } = await recordOrder(root, run, order)
    const trouble = touchesTasks.has(order.do) ? await onRested(root, state) : null
    return {
      run: id,
      live: false,
      ...(fact?.type === 'task.added' ? { added: fact.task.id } : {}),
      ...(fact ? targetOf(state, fact) : {}),
      ...(fact ? keptBy(state, fact) : {}),
      ...(trouble === null ? {} : { trouble }),
    }
  } finally {
    await lock.release()
  }
}

function targetOf(state: RunState, fact: Fact): Pick<OrderReceipt, 'target'> {
  if (fact.type !== 'rollback.requested') return {}
  return { target: rollbackName(fact, state) }
}

/** The ref of the undone commits. Only a resting run is rolled back at once. */
function keptBy({ antiPatterns }: RunState, { type }: Fact): Pick<OrderReceipt, 'kept'> {
  const kept = type === 'rollback.requested' ? antiPatterns.at(-1)?.kept : undefined
  return kept === undefined ? {} : { kept }
}

const touchesTasks: ReadonlySet<Order['do']> = new Set(['abort', 'add', 'retry', 'skip', 'rollback'])

function refuse(received: ReturnType<typeof receive>, id: string): void {
  if (!('refused' in received)) return
  const code = received.unknown === 'task' ? 'USAGE_NO_TASK' : 'USAGE_RUN_STATE'
  const hint = `\`looper status ${id}\` shows its tasks and questions.`
  throw new LooperError(code, `${received.refused}.`, { hint })
}

const notNow = (id: string, what: string, more = ''): LooperError =>
  new LooperError('USAGE_RUN_STATE', `${id} is ${what}.`, { hint: `\`looper status ${id}\` shows it${more}.` })

/**
 * A resting run records the order and acts on it when it is resumed. Only an abort and a rollback are carried out here.
 */
async function recordOrder(
  root: string,
  run: StoredRun,
  order: Order,
): Promise<{ fact: Fact | null; state: RunState }> {
  return withRestingRun(run, async (state, recorder) => {
    refuseForState(state, run.id, order)
    const resting = { root, dir: run.folder, state, recorder }
    if (order.do === 'abort' || order.do === 'rollback') await catchUp(resting)
    const received = receive(state, { ...order, id: `${Date.now()}` })
    refuse(received, run.id)
    // Agents can outlive a killed engine.
    if (order.do === 'abort' || order.do === 'rollback') await endRun(runKey(run.folder))
    const fact = 'fact' in received ? received.fact : null
    if (fact && order.do === 'rollback') await rollBackNow(resting, fact)
    else if (fact) recorder.record(fact)
    if (order.do === 'abort') recordEnd(state, recorder)
    return { fact, state }
  })
}

/**
 * Records unfinished work as lost, then the conclusions: landings that were not recorded yet, and the end of the run.
 */
function recordEnd(state: RunState, { record }: Recorder): void {
  for (const { work } of Object.values(state.works)) record({ type: 'work.lost', id: work.id, why: 'aborted' })
  concludeUntilQuiet(state, record)
}

function refuseForState({ status }: RunState, id: string, order: Order): void {
  const resting = order.do === 'pause' || order.do === 'stop'
  if (resting) throw notNow(id, 'not under way')
  if (status === 'completed' && order.do === 'rollback') return
  if (status === 'completed' || status === 'aborted')
    throw notNow(id, status, ', and `looper run "<goal>"` starts another')
}
