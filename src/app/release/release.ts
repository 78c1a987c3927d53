/**
 * `looper release`: releases the committed state step by step. A call after a failure resumes where the last one ended.
 */
import type { Mask } from '../../agents/mask.ts'
import { loadConfig } from '../../config/layers.ts'
import type { CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { acquireLock, type Lock } from '../../platform/lock.ts'
import type { PreparedRelease, ReleaseObserver, ReleaseRequest, ReleaseResult, ReleaseView } from '../../api/release.ts'
import { findRepository, type Repository } from '../../workspace/git/repository.ts'
import { checksInForce } from '../prepare/check-settings.ts'
import { discoverIn } from '../prepare/discover.ts'
import { refuseOccupied } from '../prepare/checkout.ts'
import type { AppContext } from '../context.ts'
import { findProgram } from '../prepare/locate-agent.ts'
import { maskOf } from '../launch/run-mask.ts'
import { hashOf } from './edits.ts'
import { planRelease, refuse } from './plan.ts'
import { readReleaseState, removeReleaseState, writeReleaseState, type ReleaseState } from './release-state.ts'
import { resolve } from './release-git.ts'
import { goOn } from './resume.ts'
import { interrupted, steps, type World } from './steps.ts'
import { viewOf } from './view.ts'

interface Ready {
  repository: Repository
  state: ReleaseState
  checks: CheckConfig[]
  mask: Mask
  view: ReleaseView
  /** The content of the state file when the release was prepared. */
  seen: string
}

/** Prepares the release and writes nothing. Throws USAGE_RELEASE, WORKSPACE_DIRTY, CONFIG_*. */
export async function prepareRelease(
  context: AppContext,
  request: ReleaseRequest,
  today: string,
): Promise<PreparedRelease> {
  const ready = await makeReady(context, request, today)
  return { view: ready.view, run: (observer, signal) => run(context, ready, observer, signal) }
}

async function makeReady(context: AppContext, request: ReleaseRequest, today: string): Promise<Ready> {
  const repository = await findRepository(context.cwd)
  const { root } = repository
  await refuseOccupied(root)
  if (request.release) await needGh(context, request, root)
  const before = await readReleaseState(root)
  const { state, notes } =
    before === null ? await planRelease(repository, request, today) : await goOn(repository, before, request)
  const loaded = loadConfig({ root, env: context.env, home: context.home })
  const checks = await checksInForce(loaded, discoverIn(root, context.env))
  const allWarnings = [...loaded.warnings, ...checks.notes, ...notes]
  const view = await viewOf(root, state, { checks: checks.list, resumed: before !== null, warnings: allWarnings })
  return { repository, state, checks: checks.list, mask: maskOf(context.env, loaded), view, seen: fingerprint(before) }
}

async function needGh({ env }: AppContext, request: ReleaseRequest, root: string): Promise<void> {
  if (!request.push) throw refuse('A release on GitHub needs its tag there.', 'Leave --no-push or --release out.')
  const gh = await findProgram('gh', { root, path: env['PATH'] ?? '' })
  const hint = 'Install it (https://cli.github.com), or leave --release out.'
  if (gh === null) throw refuse('--release needs gh, and it is not installed.', hint)
}

const fingerprint = (state: ReleaseState | null): string => hashOf(JSON.stringify(state))

async function run(
  context: AppContext,
  ready: Ready,
  observer: ReleaseObserver,
  signal: AbortSignal,
): Promise<ReleaseResult> {
  const {
    repository: { root, head },
    state: planned,
    checks,
    mask,
    seen,
  } = ready
  const again = 'Review it again: looper release --dry-run'
  const lock = await ownRelease(root)
  try {
    if (fingerprint(await readReleaseState(root)) !== seen)
      throw refuse('Another process has changed this release meanwhile.', again)
    if ((await resolve(root, 'HEAD^{commit}')) !== head) throw refuse('HEAD has moved meanwhile.', again)
    const state = await perform(planned, { context, root, checks, mask, observer, signal })
    await removeReleaseState(root)
    const { version, tag, commit, done } = state
    return { version, tag, commit: commit ?? '', pushed: done.includes('push'), released: done.includes('release') }
  } finally {
    await lock.release()
  }
}

/**
 * The state is written before the first step and after each one, so that the next call can resume after any
 * interruption.
 */
async function perform(planned: ReleaseState, world: World): Promise<ReleaseState> {
  const state = structuredClone(planned)
  await writeReleaseState(world.root, state)
  for (const step of state.steps) {
    if (state.done.includes(step)) continue
    if (world.signal.aborted) throw interrupted()
    world.observer.onStep(step, false)
    const known = await steps[step](state, world)
    Object.assign(state, known)
    state.done.push(step)
    await writeReleaseState(world.root, state)
    world.observer.onStep(step, true)
  }
  return state
}

export async function ownRelease(root: string): Promise<Lock> {
  const lock = await acquireLock(`release:${root}`)
  if (lock === null)
    throw new LooperError('LIMIT_LOCKED', 'Another process is releasing this repository.', {
      hint: 'Wait for it to end.',
    })
  return lock
}
