/** Takes the lock of a run, opens its journal, and runs its engine until the run ends or pauses. */
import { maskDeep, type Mask } from '../../agents/mask.ts'
import { LooperError } from '../../model/error.ts'
import type { Fact } from '../../model/event.ts'
import type { HeldRunLock, StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { ignoreUserSignals } from '../../platform/ignored-signals.ts'
import type { Observer } from '../../api/runs.ts'
import { ownCheckout } from '../prepare/checkout.ts'
import { nameRun } from '../../views/text/name-run.ts'
import type { AppContext } from '../context.ts'
import type { PerformedRun } from '../follow/performed-run.ts'
import { createRecount } from '../runs/recount.ts'
import { runOf } from '../runs/runs.ts'
import { runStretch, type Launch } from './stretch.ts'

/**
 * The journal records the version that wrote it, so that a Looper that cannot read it can name the version to install.
 */
const signed = (start: Fact, looper: string): Fact =>
  start.type === 'run.started' || start.type === 'run.resumed' ? { ...start, looper } : start

/** Returns when the run ends or pauses. `first` returns the first event of this stretch for the recorded state. */
export async function launch(
  context: AppContext,
  options: Launch,
  first: (state: RunState) => Fact,
  watcher: Observer,
  performed: PerformedRun,
): Promise<RunState> {
  const stored = runOf(options.root, options.id)
  const observer: Observer = { ...watcher, onTrouble: (message) => watcher.onTrouble(options.mask(message)) }
  const lock = await own(stored)
  const heedUserSignals = ignoreUserSignals()
  try {
    const { state, claims, add } = createRecount()
    const { journal, snapshots, tornBytes } = await stored.journal.open(add)
    try {
      if (tornBytes > 0) observer.onTorn(tornBytes)
      performed.open(state)
      const start = signed(first(state), context.version)
      const checkout = start.type === 'run.started' ? start.config.workspace.mode : state.config.workspace.mode
      const place = checkout === 'in-place' ? await ownCheckout(options.root) : null
      try {
        return await runStretch(context, options, {
          stored,
          lock,
          state,
          claims,
          journal,
          snapshots,
          start,
          observer,
          performed,
        })
      } finally {
        await place?.release()
      }
    } finally {
      await journal.close()
    }
  } catch (error) {
    throw named(maskedError(error, options.mask), options.id)
  } finally {
    heedUserSignals()
    await lock.release()
  }
}

/** Error messages of git or the file system may contain text that an agent wrote. */
function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof LooperError) || mask(error.message) === error.message) return error
  return new LooperError(error.code, mask(error.message), { hint: error.hint, details: maskDeep(error.details, mask) })
}

/** Adds the id of the run to the hint of the error. */
function named(error: unknown, run: string): unknown {
  if (!(error instanceof LooperError)) return error
  const { code, message, details } = error
  return new LooperError(code, message, { hint: nameRun(error.hint, run), details, cause: error })
}

/** Throws LIMIT_LOCKED while another process holds the run. */
export async function own({ id, lock }: StoredRun): Promise<HeldRunLock> {
  const held = await lock.acquire()
  if (held !== null) return held
  throw named(new LooperError('LIMIT_LOCKED', `The run ${id} is under way in another process.`), id)
}
