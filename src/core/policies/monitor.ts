/**
 * The monitor: judges at the end of a wave whether work converges. It reports what the ladder cannot see: one failure
 * across tasks, repeated regressions, content that returns. It costs no turns, and slow progress counts as progress.
 */
import type { FailedAttempt, Health, Landing, WaveRecord } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'
import { criteriaOf } from '../tasks/task-graph.ts'

export interface Diagnosis {
  health: Health
  evidence: string | null
  tasks: string[]
  /** The first wave in which the problem occurred. */
  since: number
}

/** The same failure this often, or this many failures in a row, is a stall. */
const stallsAt = 3

export function diagnose(state: RunState): Diagnosis {
  return (
    flipFlop(state)
    ?? regression(state)
    ?? stall(state)
    ?? blockage(state) ?? { health: 'PROGRESSING', evidence: null, tasks: [], since: state.wave }
  )
}

function flipFlop(state: RunState): Diagnosis | null {
  const {
    convergence: { regressed },
    tasks,
    wave,
  } = state
  const restless = [...new Set(regressed)].filter((id) => (tasks[id]?.falls ?? 0) >= 2)
  if (restless.length > 0) {
    const times = restless.map((id) => `${id} was done and undone ${tasks[id]?.falls} times`)
    return { health: 'FLIP-FLOPPING', evidence: times.join('; '), tasks: restless, since: wave }
  }
  return fileReturns(state) ?? attemptReturns(state)
}

/** A file that landed with the content it had before an earlier change, while no more criteria are met than then. */
function fileReturns({ landings, wave, met }: RunState): Diagnosis | null {
  for (let index = firstOf(landings, wave); index < landings.length; index++) {
    const landing = landings[index]
    if (landing?.wave !== wave) continue
    for (const [path, hash] of Object.entries(landing.files ?? {})) {
      const changes = landings.slice(0, index).filter(({ files }) => files !== undefined && Object.hasOwn(files, path))
      // The content before each of these changes, and after the last one.
      const held = [changes[0]?.was?.[path], ...changes.map(({ files }) => files?.[path])]
      const at = held.lastIndexOf(hash)
      const left = changes[at]
      if (!left || met > left.met) continue
      const maker = changes[at - 1]
      const then = maker
        ? `${maker.task} left it in wave ${maker.wave}`
        : `it was before ${left.task} changed it in wave ${left.wave}`
      return {
        health: 'FLIP-FLOPPING',
        evidence: `${path} is again as ${then}, and no more passes than then`,
        tasks: [...new Set([...(maker ? [maker.task] : []), left.task, landing.task])],
        since: (maker ?? left).wave,
      }
    }
  }
  return null
}

/** The index of the first landing of the newest wave. Landings are in the order of their waves. */
const firstOf = (landings: readonly Landing[], wave: number): number =>
  landings.findLastIndex((landing) => landing.wave !== wave) + 1

/** The last attempt at a task ended with the tree of an earlier failed attempt, with a different tree in between. */
function attemptReturns({ convergence: { failures } }: RunState): Diagnosis | null {
  const last = failures.at(-1)
  if (!last || last.tree === null) return null
  const own = failures.slice(0, -1).filter(({ task, tree }) => task === last.task && tree !== null)
  const at = own.findLastIndex(({ tree }) => tree === last.tree)
  if (at === -1 || at === own.length - 1) return null
  const evidence = `attempts at ${last.task} return to what failed before: ${last.summary}`
  return { health: 'FLIP-FLOPPING', evidence, tasks: [last.task], since: own[at]?.wave ?? last.wave }
}

/** In this wave and the one before, a check got worse or more criteria regressed than were newly met. */
function regression(state: RunState): Diagnosis | null {
  const {
    convergence: { before, regressed, completed, worse },
    wave,
  } = state
  if (!before || !loses(state, before) || !loses(state, { wave, regressed, completed, worse })) return null
  const tasks = [...new Set([...before.regressed, ...regressed])]
  const checks = [...new Set([...before.worse, ...worse])]
  const what = [
    ...(tasks.length > 0 ? [`${tasks.join(', ')} passed and no longer do`] : []),
    ...(checks.length > 0 ? [`${checks.join(', ')} got worse`] : []),
  ]
  const evidence = `fewer checks pass than before in two waves running: ${what.join('; ')}`
  return { health: 'REGRESSING', evidence, tasks, since: before.wave }
}

function loses({ tasks }: RunState, { regressed, completed, worse }: WaveRecord): boolean {
  const criteria = (ids: readonly string[]): number =>
    ids.flatMap((id) => tasks[id] ?? []).reduce((sum, task) => sum + criteriaOf(task), 0)
  return worse.length > 0 || criteria(regressed) > criteria(completed)
}

export function stall({ convergence: { failures }, wave }: RunState): Diagnosis | null {
  const alike = failures.map(({ fingerprint }) =>
    failures.filter((other) => fingerprint !== null && other.fingerprint === fingerprint),
  )
  const same = alike.find((group) => group.length >= stallsAt && group.at(-1)?.wave === wave)
  if (same) return stalled(same, `the same failure ${same.length} times: ${same.at(-1)?.summary}`, wave)
  const tasks = new Set(failures.map(({ task }) => task))
  if (failures.length < stallsAt || tasks.size < 2 || failures.at(-1)?.wave !== wave) return null
  return stalled(failures, `${failures.length} failed attempts in a row: ${failures.at(-1)?.summary}`, wave)
}

const stalled = (failures: readonly FailedAttempt[], evidence: string, wave: number): Diagnosis => ({
  health: 'STALLED',
  evidence,
  tasks: [...new Set(failures.map(({ task }) => task))],
  since: failures[0]?.wave ?? wave,
})

/** No task is ready, and at least one is blocked. */
function blockage({ counts, ready, tasks, order, wave }: RunState): Diagnosis | null {
  if (counts.blocked === 0 || ready.length > 0) return null
  const blocked = order.flatMap((id) => tasks[id] ?? []).filter(({ status }) => status === 'blocked')
  const evidence = blocked
    .slice(0, 3)
    .map(({ id, reason }) => `${id}: ${reason ?? 'blocked'}`)
    .join('; ')
  return { health: 'BLOCKED', evidence, tasks: blocked.map(({ id }) => id), since: wave }
}
