/** Laws of concurrent attempts and of their changes: races, declared files, tests. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { attemptId, attemptIn, isBelow, isStep, ownerOf, waveIn } from '../../model/work-id.ts'
import type { Checker } from '../checker.ts'
import { failingIn } from '../virtual-checks.ts'
import { isWeaker } from '../virtual-guard.ts'

/** A race has one winner, which has passed. The losers start no more work, and none of their changes land. */
export const race: Checker = {
  law: 'race',
  watch({ steps, scenario: { config } }, report) {
    const landed = new Map(steps.flatMap((step) => (step.kind === 'landed' ? [[step.commit, step.work] as const] : [])))
    const lost = new Map<string, Set<number>>()
    const widest = Math.max(1, ...Object.values(config.race))
    return {
      before(event, state) {
        if (event.type === 'race.decided') {
          const task = state.tasks[event.task]
          const racers = [task?.attempt, ...(task?.racers ?? [])].flatMap((attempt) => (attempt ? [attempt] : []))
          const won = racers.find(({ n }) => n === event.winner)
          const named = [event.winner, ...event.losers].toSorted((a, b) => a - b).join()
          if (
            racers
              .map(({ n }) => n)
              .toSorted((a, b) => a - b)
              .join() !== named
          ) {
            report(`${event.task}: the race of ${named} had other racers`, event.seq)
          }
          if (won?.checks.some(({ usable, passed, excuse }) => usable && !passed && excuse === undefined)) {
            report(`${event.task}: ${event.winner} wins, and is red`, event.seq)
          }
          lost.set(event.task, new Set([...(lost.get(event.task) ?? []), ...event.losers]))
        }
        if (event.type === 'work.started' && isOf(event, lost))
          report(`${event.work.id} begins, and has lost its race`, event.seq)
        if (event.type === 'task.finished' && event.commit !== null && state.tasks[event.task]?.attempt) {
          const winner = attemptId(event.task, state.tasks[event.task]?.attempt?.n ?? 0)
          const work = landed.get(event.commit)
          if (work !== undefined && !isBelow(work, winner))
            report(`${event.task}: ${work} landed, and not ${winner}`, event.seq)
          if ((state.tasks[event.task]?.racers?.length ?? 0) > 0 && event.status === 'done') {
            report(`${event.task} is done before its race is decided`, event.seq)
          }
        }
      },
      after(event, state) {
        if (event.type === 'rolled.back') for (const id of state.order) if (!state.tasks[id]?.attempt) lost.delete(id)
        if (event.type !== 'task.started') return
        const racers = 1 + (state.tasks[event.task]?.racers?.length ?? 0)
        if (racers > widest) report(`${racers} attempts at ${event.task} at once, of ${widest}`, event.seq)
      },
    }
  },
}

function isOf({ work: { id } }: Event<'work.started'>, lost: ReadonlyMap<string, ReadonlySet<number>>): boolean {
  const attempt = attemptIn(id)
  return attempt !== null && lost.get(ownerOf(id))?.has(attempt) === true
}

/** Tasks that declare the same files never run concurrently. */
export const overlap: Checker = {
  law: 'overlap',
  watch: (_history, report) => ({
    before(event, state) {
      if (event.type !== 'task.started' || event.racer !== undefined) return
      const files = state.tasks[event.task]?.files ?? []
      for (const other of state.active) {
        const both = state.tasks[other]?.files.find((path) => files.some((own) => isSame(own, path)))
        if (both !== undefined) report(`${event.task} starts while ${other} is at ${both}`, event.seq)
      }
    },
  }),
}

/** Compares the parts before the first wildcard; implemented differently from the program. */
export function isSame(one: string, other: string): boolean {
  const parts = (path: string): string[] => path.split('/').filter((part) => part !== '')
  const [a, b] = [parts(one), parts(other)]
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    if (a[at]?.includes('*') || b[at]?.includes('*')) return true
    if (a[at] !== b[at]) return false
  }
  return true
}

/**
 * When the guard blocks, no weakened test hides a failure that the base's tests would find, on the branch or in an
 * accepted checkout, unless a task allows it. In place, where no overlay is possible, no test may be weakened at all.
 */
export const tamper: Checker = {
  law: 'tamper-never-lands',
  watch: ({ git, steps, scenario: { config, unrest } }, report) => ({
    after(event, state) {
      if (config.guard !== 'block' || config.workspace.mode !== 'in-place') return
      const tree = acceptedWith(event)
      if (tree === null || Object.keys(state.tasks).some((id) => mayWeaken(state, id))) return
      const [before, now] = [git.filesOf(git.base), git.filesOf(tree)]
      const weaker = Object.keys(before).filter(
        (path) => path.endsWith('.test') && before[path] !== now[path] && isWeaker(now[path]),
      )
      if (weaker.length > 0) report(`accepted with ${weaker.join(', ')} weaker than before`, event.seq)
    },
    end(state) {
      // In place, landed means no more than accepted. A flaky check is ignored on either side.
      if (config.guard !== 'block' || config.workspace.mode === 'in-place' || unrest?.flaky['test'] !== undefined)
        return
      for (const step of steps) {
        if (step.kind !== 'landed' || mayWeaken(state, step.task)) continue
        const { parent } = git.commit(step.commit)
        const [before, after] = [git.filesOf(parent ?? git.base), git.filesOf(step.commit)]
        const weaker = Object.keys(before).filter(
          (path) => path.endsWith('.test') && before[path] !== after[path] && isWeaker(after[path]),
        )
        const restored = { ...after, ...Object.fromEntries(weaker.map((path) => [path, before[path] ?? ''])) }
        const isChecked = config.checks.some(({ name, when }) => name === 'test' && when !== 'wave')
        const hidden = isChecked
          ? failingIn('test', restored).filter((path) => !failingIn('test', before).includes(path))
          : weaker
        // A revert restores the earlier content, whatever it was.
        if (weaker.length > 0 && hidden.length > 0 && waveIn(step.work) === null) {
          report(
            `${step.task} lands with ${weaker.join(', ')} weaker than before, which hides ${hidden.join(', ')}`,
            step.durable,
          )
        }
      }
    },
  }),
}

/** The permission must be in a field of the task or of its parent. The planner's prose permits nothing. */
function mayWeaken({ tasks }: Pick<RunState, 'tasks'>, id: string): boolean {
  const task = tasks[id]
  return (
    task !== undefined && (task.allows !== undefined || (task.parent !== null && mayWeaken({ tasks }, task.parent)))
  )
}

/** The tree with which a task or a pass is accepted. */
function acceptedWith(event: Event): string | null {
  if (event.type === 'iteration.finished')
    return event.status === 'failed' || event.failure !== null ? null : event.tree
  return event.type === 'task.finished' && event.status === 'done' && event.by !== 'source'
    ? (event.evidence.at(-1)?.tree ?? null)
    : null
}

/** New tests count as proof only if they fail without the change. */
export const proof: Checker = {
  law: 'proof',
  watch({ scenario: { plan, config, unrest, faults } }, report) {
    const isUnseen = unrest !== undefined && unrest.base !== 'green' && config.baseline === 'off'
    const isUnreliable =
      isUnseen
      || unrest?.gone !== undefined
      || unrest?.flaky['test'] !== undefined
      || faults.some(({ kind }) => kind === 'worktrees-deleted')
    const isShaky = config.checks.some(({ name }) => unrest?.flaky[name] !== undefined)
    const proving = new Set(plan.filter(({ tests }) => tests === 'proving').map(({ id }) => id))
    /** Attempts with new tests, as of their last inspection. */
    const withTests = new Set<string>()
    const idle = new Set(plan.filter(({ tests }) => tests === 'idle').map(({ id }) => id))
    return {
      before(event, state) {
        const n = event.type === 'work.finished' && isStep(event.id, 'inspect') ? attemptIn(event.id) : null
        if (event.type === 'work.finished' && event.outcome.kind === 'inspect' && n !== null) {
          const attempt = attemptId(ownerOf(event.id), n)
          if ((event.outcome.newTests?.length ?? 0) > 0) withTests.add(attempt)
          else withTests.delete(attempt)
        }
        if (event.type !== 'task.finished' || event.status !== 'done' || event.by === 'source' || config.proof !== true)
          return
        const { attempt } = state.tasks[event.task] ?? {}
        if (attempt && attempt.proof === undefined && withTests.has(attemptId(event.task, attempt.n))) {
          report(`${event.task} is done, and nothing is said of its new tests`, event.seq)
        }
      },
      after(event, state) {
        if (event.type !== 'proof.given') return
        if (config.proof !== true) report(`${event.task} is proven, and proof is off`, event.seq)
        const task = state.tasks[event.task]
        const attempt = [task?.attempt, ...(task?.racers ?? [])].find((known) => known?.n === event.attempt)
        const isReported = attempt?.checks.some(
          ({ passed, merged, tests, check }) => passed && !merged && tests && !Object.hasOwn(state.flaky, check),
        )
        if (event.why !== undefined && isReported && config.workspace.mode === 'worktree') {
          report(`${event.task}: its tests were seen to run, and nothing is reported about them`, event.seq)
        }
        if (attempt?.proof !== (event.proved ? 'proved' : 'no proof'))
          report(`${event.task}: its proof is forgotten`, event.seq)
        if (event.proved && idle.has(event.task) && !isUnreliable && !isShaky) {
          report(`${event.task} is proven by tests that pass without it`, event.seq)
        }
        // An earlier landing of the task may contain everything that the new tests need.
        const isNew = !state.landings.some((landing) => landing.task === event.task)
        const isTested = config.checks.some(({ name }) => name === 'test')
        if (!event.proved && event.why === undefined && isTested && !isUnreliable && isNew && proving.has(event.task)) {
          report(`${event.task} is not proven by tests that fail without it`, event.seq)
        }
      },
    }
  },
}
