/** Gives a run a person's orders: through its inbox when it is alive, straight into its journal when it rests. */
import { receive } from '../core/commands.ts'
import { decide } from '../core/decide.ts'
import { initialState } from '../core/initial.ts'
import { createRecorder } from '../engine/recorder.ts'
import { openFileJournal } from '../journal/file-journal.ts'
import { sendCommand } from '../journal/inbox.ts'
import { fileSnapshots } from '../journal/snapshot.ts'
import { LooperError } from '../model/error.ts'
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { nudge } from '../platform/lock-client.ts'
import { acquireLock, lockName } from '../platform/lock.ts'
import { runKey } from '../platform/mark.ts'
import { endMarked } from '../platform/sweep.ts'
import type { Order, Told } from '../surfaces/cli/app.ts'
import { fold, readState } from './read-run.ts'
import { runFolder } from './run-folder.ts'

export async function tell(root: string, id: string, order: Order): Promise<Told> {
  const dir = runFolder(root, id)
  const lock = await acquireLock(lockName(dir))
  if (lock === null) {
    refuse(receive(await readState(dir), { ...order, id: 'ask' }))
    await sendCommand(dir, order)
    await nudge(lockName(dir))
    return { run: id, live: true }
  }
  try {
    const fact = await note(dir, id, order)
    return { run: id, live: false, ...(fact?.type === 'task.added' ? { added: fact.task.id } : {}) }
  } finally {
    await lock.release()
  }
}

function refuse(received: ReturnType<typeof receive>): void {
  if ('refused' in received) throw new LooperError(received.refused.includes('task') ? 'USAGE_NO_TASK' : 'USAGE_RUN_STATE', `${received.refused}.`)
}

/** A resting run takes the order now and acts on it when it is resumed; only an abort ends it here. */
async function note(dir: string, id: string, order: Order): Promise<Fact | null> {
  const { journal, snapshot } = await openFileJournal(dir)
  try {
    const known = snapshot ?? initialState()
    const state = fold(known, await journal.load(known.seq))
    refuseForState(state, id, order)
    const recorder = createRecorder({ state, journal, snapshots: fileSnapshots(dir), now: Date.now, onEvent: () => {} })
    const received = receive(state, { ...order, id: `${Date.now()}` })
    refuse(received)
    // Agents outlive an engine that was killed.
    if (order.do === 'abort') await endMarked(`${runKey(dir)}:`)
    if ('fact' in received) recorder.record(received.fact)
    if (order.do === 'abort') for (const { work } of Object.values(state.works)) recorder.record({ type: 'work.lost', id: work.id, why: 'aborted' })
    // What had landed is told first, then the end.
    if (order.do === 'abort') for (let facts = decide(state).facts; facts.length > 0; facts = decide(state).facts) facts.forEach((fact) => recorder.record(fact))
    await recorder.flush()
    return 'fact' in received ? received.fact : null
  } finally {
    await journal.close()
  }
}

function refuseForState({ status }: RunState, id: string, order: Order): void {
  const resting = order.do === 'pause' || order.do === 'stop'
  if (resting) throw new LooperError('USAGE_RUN_STATE', `${id} is not under way.`)
  if (status === 'completed' || status === 'aborted') throw new LooperError('USAGE_RUN_STATE', `${id} is ${status}.`)
}
