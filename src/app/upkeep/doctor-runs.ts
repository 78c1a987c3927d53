/** The rows of `looper doctor` about runs: damaged journals, their repair, and agents that outlived a crash. */
import { initialState } from '../../core/initial.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { DoctorRow } from '../../api/upkeep.ts'
import { leftText } from '../../views/status/left-behind.ts'
import { rewindRun } from '../../workspace/landing/rewind.ts'
import { own } from '../launch/launch.ts'
import { findLeft } from '../runs/left-behind.ts'
import { fold } from '../runs/read-run.ts'
import { addRow } from './doctor-row.ts'

function asError(error: unknown): LooperError {
  if (error instanceof LooperError) return error
  throw error
}

/** Reports a damaged journal, repairs it with `--repair`, and reports agents that outlived a crash. */
export async function runRow(rows: DoctorRow[], root: string, run: StoredRun, repair: boolean): Promise<void> {
  const readable: Event[] = []
  const check = `run ${run.id}`
  const scanned = await run.journal.inspect((event) => readable.push(event)).catch(asError)
  if (scanned instanceof LooperError) {
    rows.push({ check, ok: false, detail: scanned.message, hint: scanned.hint })
    return
  }
  const { damage } = scanned
  if (damage === null) return leftRow(rows, check, run, readable)
  if (!repair) {
    rows.push({
      check,
      ok: false,
      detail: `its journal is damaged at event ${damage.seq}: ${damage.why}`,
      hint: 'looper doctor --repair sets the damaged part aside and deletes nothing.',
    })
    return
  }
  await addRow(
    rows,
    check,
    () => repairRun(root, run, readable),
    (result) => result,
  )
}

async function leftRow(rows: DoctorRow[], check: string, run: StoredRun, events: readonly Event[]): Promise<void> {
  const state = fold(initialState(), events)
  if (state.status !== 'running' || (await run.lock.isHeld())) return
  const left = await findLeft(run.folder, state)
  if (left.agents.length === 0) return
  rows.push({
    check,
    ok: false,
    detail: `crashed; ${leftText(left)}`,
    hint: `End them: looper stop ${run.id}. Continue with them: looper resume ${run.id}`,
  })
}

/**
 * Rewinds the branch before it repairs the journal: if it is interrupted in between, the journal is still damaged and
 * the next repair does both.
 */
async function repairRun(root: string, run: StoredRun, readable: readonly Event[]): Promise<string> {
  const lock = await own(run)
  try {
    const aside = await rewind(root, readable)
    const repaired = await run.journal.repair()
    if (repaired === null) return 'healthy'
    const landed = aside === null ? '' : `; later landings are kept as ${aside} and will be done again`
    return `repaired: ${repaired.keptSeq} events kept, the rest is in ${repaired.file}${landed}`
  } finally {
    await lock.release()
  }
}

/**
 * Moves the run branch back to the last landing that the journal still has. Work after it is done again and must not
 * find its ownRun changes. In place, the branch is never moved.
 */
async function rewind(root: string, [start, ...rest]: readonly Event[]): Promise<string | null> {
  if (start?.type !== 'run.started' || start.config.workspace.mode === 'in-place') return null
  const outcomes = rest.flatMap((event) => (event.type === 'work.finished' ? [event.outcome] : []))
  const landed = outcomes.flatMap((outcome) =>
    outcome.kind === 'integrate' && outcome.status === 'landed' ? (outcome.commit ?? []) : [],
  )
  return rewindRun(root, { run: start.run, branch: start.branch, to: landed.at(-1) ?? start.base.commit })
}
