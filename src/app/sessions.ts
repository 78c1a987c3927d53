/** Named sessions: the newest run of a name, how it stands, and what a crash left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { iterationsOf } from '../model/loop.ts'
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import { isLive, readRun } from './read-run.ts'
import { listRunIds, runFolder, slugOf } from './run-folder.ts'
import { tell } from './tell.ts'

export interface SessionRun {
  id: string
  state: RunState
  live: boolean
}

/** A name that is also a part of the ids of its runs. */
const named = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/

export function checkSessionName(name: string): void {
  if (named.test(name)) return
  throw new LooperError('USAGE_ARGUMENTS', `${JSON.stringify(name.slice(0, 60))} cannot name a session`, {
    hint: 'Use letters, digits, dashes and underscores, at most 40.',
  })
}

/** The newest run of that session; null when there is none. */
export async function findSession(root: string, session: string): Promise<SessionRun | null> {
  const slug = slugOf(session)
  for (const id of (await listRunIds(root)).toReversed().filter((each) => each.endsWith(`-${slug}`))) {
    const run = await readRun(root, id).catch(() => null)
    if (run?.state.session === session) return { id, state: run.state, live: run.live }
  }
  return null
}

/** Whoever starts a session again after it broke off should know, and say whether to go on or to start anew. */
function refuseBroken({ id, state, live }: SessionRun, session: string): void {
  const { status } = state
  if (live || status === 'completed' || status === 'aborted' || status === 'new') return
  const [what = '', ...lines] = brokenText(state, session)
  throw new LooperError('USAGE_RUN_STATE', what, {
    hint: `Run with --resume to continue from iteration ${reachedOf(state).next} (--force starts anew)`, details: { run: id, lines },
  })
}

/** What happened to a session that nobody runs any more. */
function brokenText(state: RunState, session: string): string[] {
  const { next, most, last } = reachedOf(state)
  const how = state.status === 'paused' ? 'paused' : 'failed'
  return [`Session '${session}' ${how} at iteration ${next}/${most}`, `Last successful iteration: ${last}`, `Error: ${errorOf(state)}`]
}

function errorOf({ status, reason, loop }: RunState): string {
  if (status === 'running') return 'the process ended unexpectedly'
  const last = loop?.entries.at(-1)
  return last?.status === 'failed' ? last.summary : (reason ?? 'none was recorded')
}

/** Iterations of the stage it stands in: of a backlog, its attempts. */
function reachedOf({ loop, pipeline, wave, config }: RunState): { next: number; most: number | string; last: number } {
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (!loop || !stage || stage.completion.kind === 'tasks-empty') return {
    next: wave + 1, most: config.limits.iterations ?? '∞', last: wave,
  }
  return { next: loop.iterations + 1, most: iterationsOf(stage), last: loop.iterations }
}

/** The run that a new one of this session comes after; throws when that one broke off and nobody said what to do about it. */
export async function sessionOf(root: string, session: string, force: boolean): Promise<SessionRun | null> {
  checkSessionName(session)
  const earlier = await findSession(root, session)
  if (earlier && !force) refuseBroken(earlier, session)
  return earlier
}

const stopPatienceMs = 30_000

/** Asks the run to stop, and waits until its process has let go of it. */
export async function stopRun(root: string, id: string): Promise<void> {
  await tell(root, id, { do: 'stop' })
  const until = performance.now() + stopPatienceMs
  while (await isLive(runFolder(root, id))) {
    if (performance.now() > until) throw new LooperError('LIMIT_LOCKED', `The run ${id} does not stop.`, {
      hint: `\`looper status ${id}\` shows it.`,
    })
    await sleep(100)
  }
}
