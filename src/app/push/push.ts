/**
 * `looper push`: releases the committed state step by step. A call after a failure resumes where the last one ended.
 */
import type { Mask } from '../../agents/mask.ts'
import { loadConfig } from '../../config/layers.ts'
import type { CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { acquireLock, type Lock } from '../../platform/lock.ts'
import type { PreparedPush, PushObserver, PushRequest, PushResult, PushView } from '../../api/release.ts'
import { findRepository, type Repository } from '../../workspace/repository.ts'
import { checksInForce } from '../check-settings.ts'
import { refuseOccupied } from '../checkout.ts'
import type { Context } from '../context.ts'
import { findProgram } from '../locate-agent.ts'
import { maskOf } from '../run-mask.ts'
import { hashOf } from './edits.ts'
import { planRelease, refuse } from './plan.ts'
import { readPushState, removePushState, writePushState, type PushState } from './push-state.ts'
import { resolve } from './release-git.ts'
import { goOn } from './resume.ts'
import { interrupted, steps, type World } from './steps.ts'
import { viewOf } from './view.ts'

interface Ready {
  repository: Repository
  state: PushState
  checks: CheckConfig[]
  mask: Mask
  view: PushView
  /** The content of the state file when the release was prepared. */
  seen: string
}

/** Prepares the release and writes nothing. Throws USAGE_RELEASE, WORKSPACE_DIRTY, CONFIG_*. */
export async function preparePush(context: Context, request: PushRequest, today: string): Promise<PreparedPush> {
  const ready = await makeReady(context, request, today)
  return { view: ready.view, run: (observer, signal) => run(context, ready, observer, signal) }
}

async function makeReady(context: Context, request: PushRequest, today: string): Promise<Ready> {
  const repository = await findRepository(context.cwd)
  const { root } = repository
  await refuseOccupied(root)
  if (request.release) await needGh(context, request, root)
  const before = await readPushState(root)
  const { state, notes } =
    before === null ? await planRelease(repository, request, today) : await goOn(repository, before, request)
  const loaded = loadConfig({ root, env: context.env, home: context.home })
  const checks = await checksInForce(loaded, root)
  const told = [...loaded.warnings, ...checks.notes, ...notes]
  const view = await viewOf(root, state, { checks: checks.list, resumed: before !== null, warnings: told })
  return { repository, state, checks: checks.list, mask: maskOf(context.env, loaded), view, seen: fingerprint(before) }
}

async function needGh({ env }: Context, request: PushRequest, root: string): Promise<void> {
  if (!request.push) throw refuse('A release on GitHub needs its tag there.', 'Leave --no-push or --release out.')
  const gh = await findProgram('gh', { root, path: env['PATH'] ?? '', isTracked: () => Promise.resolve(false) })
  const hint = 'Install it (https://cli.github.com), or leave --release out.'
  if (gh === null) throw refuse('--release needs gh, and it is not installed.', hint)
}

const fingerprint = (state: PushState | null): string => hashOf(JSON.stringify(state))

async function run(context: Context, ready: Ready, observer: PushObserver, signal: AbortSignal): Promise<PushResult> {
  const {
    repository: { root, head },
    state: planned,
    checks,
    mask,
    seen,
  } = ready
  const again = 'Review it again: looper push --dry-run'
  const lock = await ownRelease(root)
  try {
    if (fingerprint(await readPushState(root)) !== seen)
      throw refuse('Another process has changed this release meanwhile.', again)
    if ((await resolve(root, 'HEAD^{commit}')) !== head) throw refuse('HEAD has moved meanwhile.', again)
    const state = await perform(planned, { context, root, checks, mask, observer, signal })
    await removePushState(root)
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
async function perform(planned: PushState, world: World): Promise<PushState> {
  const state = structuredClone(planned)
  await writePushState(world.root, state)
  for (const step of state.steps) {
    if (state.done.includes(step)) continue
    if (world.signal.aborted) throw interrupted()
    world.observer.onStep(step, false)
    const known = await steps[step](state, world)
    Object.assign(state, known)
    state.done.push(step)
    await writePushState(world.root, state)
    world.observer.onStep(step, true)
  }
  return state
}

export async function ownRelease(root: string): Promise<Lock> {
  const lock = await acquireLock(`push:${root}`)
  if (lock === null)
    throw new LooperError('LIMIT_LOCKED', 'Another process is releasing this repository.', {
      hint: 'Wait for it to end.',
    })
  return lock
}
