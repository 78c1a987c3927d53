/** Lists the names that other loop runners use for the same settings, so that their configurations keep working. */
import { builtInAgents } from './keys/agents.ts'
import { budget, commandList, count, duration, isYes, minutesOfMs } from './alias-values.ts'

/** Returns another value of the same file or environment by its name there. */
export type Other = (name: string) => unknown

export type Meaning =
  /** The key that it stands for, with `*` where the alias has one. */
  | { key: string }
  /** No key corresponds to it: what to do instead. */
  | { instead: string }
  /** Not a setting; handled elsewhere. */
  | { elsewhere: string }

export interface Alias {
  tool: 'looper-go' | 'claude-looper' | 'loop-mechanics'
  origin: 'file' | 'variable'
  /** A dotted name, with `*` for a user-defined part; or the name of a variable. */
  name: string
  means: Meaning
  /** Whether the alias applies to this value: some names are also keys of Looper, with other values. */
  takes?: (value: unknown, other: Other) => boolean
  /** Converts the value; undefined means not set. */
  read?: (value: unknown, other: Other) => unknown
  /** A remark on its value, for the documentation. */
  note?: string
}

type More = Pick<Alias, 'takes' | 'read' | 'note'>
const alias =
  (tool: Alias['tool'], origin: Alias['origin']) =>
  (name: string, key: string, more: More = {}): Alias => ({ tool, origin, name, means: { key }, ...more })
const without =
  (tool: Alias['tool'], origin: Alias['origin']) =>
  (instead: string, ...names: readonly string[]): Alias[] =>
    names.map((name) => ({ tool, origin, name, means: { instead } }))

const isAgent = (value: unknown, other: Other): boolean =>
  typeof value === 'string' && (builtInAgents.some((name) => name === value) || other(`agents.${value}`) !== undefined)

/** The schedule decides which list counts; a missing agent gets the default of looper-go. */
function rotations(
  names: { schedule: string[]; odd: string; even: string; all: string },
  make: ReturnType<typeof alias>,
): Alias[] {
  const schedule = (other: Other): unknown => names.schedule.map(other).find((value) => value !== undefined)
  const both: More['read'] = (_, other) => {
    if (schedule(other) === 'round-robin' && other(names.all) !== undefined) return undefined
    return [other(names.odd) ?? 'codex', other(names.even) ?? 'claude']
  }
  const all: More['read'] = (value, other) => (schedule(other) === 'odd-even' ? undefined : value)
  return [
    make(names.odd, 'rotation', { read: both, note: 'the first of two' }),
    make(names.even, 'rotation', { read: both, note: 'the second of two' }),
    make(names.all, 'rotation', { read: all, note: 'for round-robin' }),
  ]
}

const goFile = alias('looper-go', 'file')
const goVariable = alias('looper-go', 'variable')
const goFileWithout = without('looper-go', 'file')
const goVariableWithout = without('looper-go', 'variable')

const ofAgent = (agentKey: string, key: string): Alias[] => [
  goFile(`${agentKey}.binary`, `${key}.bin`),
  goFile(`${agentKey}.timeout`, `${key}.timeoutMinutes`, { read: duration, note: 'like "30m", or nanoseconds' }),
  // Below "agents", "model" is also a key of Looper, which does not accept an empty text.
  goFile(`${agentKey}.model`, `${key}.model`, {
    takes: (value) => agentKey !== 'agents.*' || value === '',
    read: (value) => (value === '' ? undefined : value),
    note: 'an empty text says nothing',
  }),
]

const looperGo: readonly Alias[] = [
  goFile('max_iterations', 'limits.iterations'),
  goFile('schedule', 'agent', { takes: isAgent, note: 'when it names an agent' }),
  ...rotations({ schedule: ['schedule'], odd: 'odd_agent', even: 'even_agent', all: 'rr_agents' }, goFile),
  goFile('roles.iter', 'roles.iterator.agent'),
  ...['repair_agent', 'roles.repair', 'bootstrap_agent', 'roles.bootstrap'].map((name) =>
    goFile(name, 'roles.planner.agent'),
  ),
  ...goFileWithout('The review pass is done by the agent of "roles.iterator".', 'review_agent', 'roles.review'),
  goFile('hooks.post_iteration', 'hooks.postIteration'),
  goFile('hook_command', 'hooks.postIteration', { read: commandList }),
  ...ofAgent('agents.*', 'agents.*'),
  ...['codex', 'claude'].flatMap((name) => [
    ...ofAgent(name, `agents.${name}`),
    goFile(`${name}.args`, `agents.${name}.args`),
  ]),
  ...goFileWithout(
    'Agents work in the workspace of their task.',
    'agents.*.work_dir',
    'codex.work_dir',
    'claude.work_dir',
  ),
  ...goFileWithout(
    'Looper keeps what agents say with each turn.',
    'agents.*.last_msg',
    'codex.last_msg',
    'claude.last_msg',
  ),
  ...goFileWithout('Give it as "args".', 'agents.*.reasoning', 'codex.reasoning'),
  goFile('todo_file', 'backlog'),
  ...goFileWithout('The schema of the backlog comes with Looper.', 'schema_file'),
  ...goFileWithout('Runs are kept in .looper/runs.', 'log_dir'),
  ...goFileWithout('Summaries are always applied.', 'apply_summary'),
  ...goFileWithout('Run `git init` yourself.', 'git_init'),
  ...goFileWithout('A stage of a pipeline can have a "delay".', 'loop_delay_seconds'),

  goVariable('LOOPER_MAX_ITERATIONS', 'limits.iterations', { read: count }),
  goVariable('LOOPER_SCHEDULE', 'agent', { takes: isAgent, note: 'when it names an agent' }),
  goVariable('LOOPER_ITER_SCHEDULE', 'agent', { takes: isAgent, note: 'when it names an agent' }),
  goVariable('LOOPER_ITER_SCHEDULE', 'schedule', { takes: (value, other) => !isAgent(value, other) }),
  ...rotations(
    {
      schedule: ['LOOPER_SCHEDULE', 'LOOPER_ITER_SCHEDULE'],
      odd: 'LOOPER_ITER_ODD_AGENT',
      even: 'LOOPER_ITER_EVEN_AGENT',
      all: 'LOOPER_ITER_RR_AGENTS',
    },
    goVariable,
  ),
  goVariable('LOOPER_ROLES_ITER', 'roles.iterator.agent'),
  ...['LOOPER_REPAIR_AGENT', 'LOOPER_ROLES_REPAIR', 'LOOPER_BOOTSTRAP_AGENT', 'LOOPER_ROLES_BOOTSTRAP'].map((name) =>
    goVariable(name, 'roles.planner.agent'),
  ),
  ...goVariableWithout(
    'The review pass is done by the agent of "roles.iterator".',
    'LOOPER_REVIEW_AGENT',
    'LOOPER_ROLES_REVIEW',
  ),
  goVariable('LOOPER_HOOK', 'hooks.postIteration', { read: commandList }),
  goVariable('LOOPER_TODO', 'backlog'),
  ...goVariableWithout('The schema of the backlog comes with Looper.', 'LOOPER_SCHEMA'),
  ...goVariableWithout('Runs are kept in .looper/runs.', 'LOOPER_LOG_DIR', 'LOOPER_BASE_DIR'),
  ...goVariableWithout('Summaries are always applied.', 'LOOPER_APPLY_SUMMARY'),
  ...goVariableWithout('Run `git init` yourself.', 'LOOPER_GIT_INIT'),
  ...goVariableWithout('A stage of a pipeline can have a "delay".', 'LOOPER_LOOP_DELAY'),
]

const looperFile = alias('claude-looper', 'file')

const claudeLooper: readonly Alias[] = [
  looperFile('maxFixCycles', 'limits.fixCycles'),
  looperFile('maxPlanRevisions', 'limits.planRevisions'),
  looperFile('attemptsBeforeReplan', 'limits.attempts'),
  looperFile('maxReplanDepth', 'limits.splitDepth'),
  looperFile('maxGoalIterations', 'limits.goalIterations'),
  looperFile('timeLimit', 'limits.timeMinutes', { read: minutesOfMs, note: 'milliseconds; 0 means no limit' }),
  looperFile('thresholds.approval', 'thresholds.approve'),
  looperFile('thresholds.revision', 'thresholds.revise'),
]

const mechanicsVariable = alias('loop-mechanics', 'variable')

const loopMechanics: readonly Alias[] = [
  mechanicsVariable('LOOP_BUDGET', 'limits.costUsd', {
    read: budget,
    note: 'dollars, with or without $; "unlimited" means no limit',
  }),
  mechanicsVariable('LOOP_MAX_ITERATIONS', 'limits.iterations', { read: count, note: '"unlimited" means no limit' }),
  mechanicsVariable('LOOP_HEADLESS', 'interaction', {
    read: (value) => (isYes(value) ? 'autonomous' : undefined),
    note: 'yes means "autonomous", no says nothing',
  }),
  {
    tool: 'loop-mechanics',
    origin: 'variable',
    name: 'LOOP_SPEC',
    means: { elsewhere: 'the goal of `looper run`, or the file that holds it' },
    note: 'when no other goal is given',
  },
]

export const aliases: readonly Alias[] = [...looperGo, ...claudeLooper, ...loopMechanics]
