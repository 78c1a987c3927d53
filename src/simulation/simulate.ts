/** Simulates one virtual world from its seed to its end, and checks every law on the history. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Checker, Ending, History, Violation } from './checker.ts'
import { checkFaults } from './check-faults.ts'
import { checkers as allCheckers } from './checkers/index.ts'
import { rollbackOf } from './draw-convergence.ts'
import { createRandom } from './random.ts'
import { isPredictable, type Scenario } from './scenario.ts'
import { scenarioOf } from './draw-scenario.ts'
import { createWorld, type Behave, type World } from './world.ts'
import type { Step } from './witness.ts'

export interface SimulateOptions {
  /** Replaces the scenario drawn from the seed. */
  scenario?: Scenario
  checkers?: readonly Checker[]
  /** Defines the agents' actions; `usual` is the one drawn from the seed. */
  behave?: Behave
}

export interface Simulated {
  seed: number
  scenario: Scenario
  history: readonly Event[]
  steps: readonly Step[]
  state: RunState
  violations: Violation[]
}

const maxEvents = 20_000
const maxLives = 60

/** Rejects with USAGE_ARGUMENTS when a fault is invalid. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Simulated> {
  const scenario = options.scenario ?? scenarioOf(seed)
  checkFaults(scenario.faults)
  const { world, problems } = await live(scenario, options.behave)
  const checkers = options.checkers ?? allCheckers
  const comparable = options.behave === undefined && scenario.faults.length > 0 && isPredictable(scenario)
  const twin =
    comparable && checkers.some(({ comparesTwin }) => comparesTwin) ? await live({ ...scenario, faults: [] }) : null
  const history: History = {
    scenario,
    events: world.disk.events,
    steps: world.witness.steps,
    rests: world.witness.rests,
    git: world.git,
    sourceTasks: world.sourceTasks(),
    left: world.machine.running().map(({ work }) => work.id),
    twin: twin && endingOf(twin.world),
  }
  const { state, violations } = check(history, checkers)
  return {
    seed,
    scenario,
    history: history.events,
    steps: history.steps,
    state,
    violations: [...problems, ...violations],
  }
}

/** Advances time until the user leaves the run alone. */
async function live(scenario: Scenario, behave?: Behave): Promise<{ world: World; problems: Violation[] }> {
  const world = createWorld(scenario, behave)
  const problems: Violation[] = []
  const problem = (detail: string): void =>
    void problems.push({ law: 'liveness', detail, seq: world.disk.events.length })
  let nudged = false
  world.launch({})
  for (let steps = 0; ; steps++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    if (world.disk.events.length > maxEvents || steps > maxEvents * 10) {
      problem('the run does not end')
      break
    }
    if (world.isAtRest()) {
      if (userActs(world) === 'leave') break
      if (world.lives() > maxLives) {
        problem('the engine is started again and again')
        break
      }
    }
    if (world.clock.step()) nudged = false
    else if (nudged) {
      problem('nothing happens any more, and the run does not rest')
      break
    } else {
      nudged = true
      world.nudge()
    }
  }
  return { world, problems }
}

const raised = {
  turns: 400,
  costUsd: 1_000,
  tokens: 100_000_000,
  timeMinutes: 100_000,
  iterations: 1_000,
  waitMinutes: 100_000,
}

/** The user restarts a crashed run, and sometimes a paused or failed one. */
function userActs(world: World): 'leave' | 'again' {
  const { disk, scenario, known: state } = world
  if (regrets(world)) return 'again'
  if (state.status === 'completed' || state.status === 'aborted') return 'leave'
  if (state.status === 'new' || state.status === 'running' || Object.keys(state.works).length > 0) {
    world.launchSoon({})
    return 'again'
  }
  const patience = scenario.patient && state.status === 'paused' ? 15 : scenario.resumes
  if (resumesIn(disk.events) >= patience) return 'leave'
  // A user who resumes a failed run has fixed the cause of the failure.
  world.repair(state.pause?.kind ?? 'setup')
  const open = state.questions.filter(({ answer }) => answer === null)
  for (const { id } of open) world.record({ id: `answer ${id}`, do: 'answer', question: id, answer: 'that' })
  const wanted = state.pause?.kind === 'limit' ? Object.entries(raised) : []
  world.launchSoon(
    Object.fromEntries(wanted.filter(([key]) => scenario.config.limits[key as keyof typeof raised] !== null)),
  )
  return 'again'
}

/** The user rolls back a resting run; an interrupted rollback is repeated. */
function regrets({ clock, disk, scenario: { seed, unrest }, known, send, record }: World): boolean {
  const asked = disk.events.filter(({ type }) => type === 'rollback.requested').length
  const { next } = known.convergence
  const open = next?.do === 'roll-back' && next.why === 'person' ? next : null
  if (open ? known.status !== 'completed' : asked >= (unrest?.regrets ?? 0)) return false
  const before = disk.events.length
  if (open) record({ id: `again ${before}`, do: 'rollback', to: open.to })
  else if (known.status !== 'new' && known.status !== 'aborted')
    send(rollbackOf(createRandom(seed).fork(`regret ${before}`)))
  clock.after(100, () => {})
  return disk.events.length > before
}

/** How often a resting run was resumed; restarts after a crash do not count. */
function resumesIn(events: readonly Event[]): number {
  let resting = false
  let count = 0
  for (const { type } of events) {
    if (type === 'run.resumed' && resting) count++
    if (type === 'run.paused' || type === 'run.ended') resting = true
    else if (type === 'run.resumed') resting = false
  }
  return count
}

function endingOf({ disk, git, known: state }: World): Ending {
  const tasks = Object.fromEntries(state.order.map((id) => [id, state.tasks[id]?.status ?? '']))
  const helped = disk.events.some(
    (event) => event.type === 'task.reopened' && event.why === 'resumed' && event.tasks.length > 0,
  )
  return { status: state.status, reason: state.reason, tasks, files: git.filesOf(git.tip()), helped }
}

/** Replays the journal once for all checkers. */
export function check(history: History, checkers: readonly Checker[]): { state: RunState; violations: Violation[] } {
  const violations: Violation[] = []
  const watches = checkers.map(({ law, watch }) =>
    watch(history, (detail, seq) => {
      if (violations.filter((known) => known.law === law).length < 5) violations.push({ law, detail, seq: seq ?? null })
    }),
  )
  const state = initialState()
  for (const event of history.events) {
    for (const watch of watches) watch.before?.(event, state)
    evolve(state, event)
    for (const watch of watches) watch.after?.(event, state)
  }
  for (const watch of watches) watch.end?.(state)
  return { state, violations }
}
