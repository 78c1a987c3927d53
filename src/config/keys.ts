/**
 * Defines every configuration key once: validation, defaults, variables, flags, JSON Schema and documentation derive
 * from it.
 */
import { sourceKinds } from '../model/source.ts'
import { agentTypes, mostAtOnce, checkTimeoutMinutes, occasions, turnDefaults, usualBacklog } from '../model/config.ts'
import { roles } from '../model/purposes.ts'
import { taskComplexities } from '../model/vocabulary.ts'
import {
  anyText,
  boolean,
  choice,
  example,
  group,
  list,
  names,
  nullable,
  number,
  object,
  optional,
  per,
  positive,
  record,
  required,
  secret,
  setting,
  shorthand,
  text,
  textLike,
  whole,
} from './spec.ts'
import type { Field, Fields, Spec } from './spec.ts'

/** Agents that need no entry in the configuration. */
export const builtInAgents = ['claude', 'codex', 'gemini', 'opencode'] as const

type ValueOf<F> = F extends Field<infer T> ? T : never

/** One week: much longer timers overflow. */
const minutes = positive(7 * 24 * 60)
const seconds = positive(7 * 24 * 60 * 60)
const variable = textLike('the name of a variable', /^[^\0=\s]+$/)
const outside = textLike('an absolute path, or one that starts with ~/', /^(?:\/|~\/)[^\0]+$/)
const inside = textLike('a path inside the repository', /^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+$/)
const address = textLike('an http or https address', /^https?:\/\/[^\s\0]+$/)
const label = textLike('one line of at most 80 characters', /^(?=.*\S)(?!__proto__$)[^\p{Cc}\u2028\u2029]{1,80}$/u)

const price = object({
  input: example(required(number(), 'For a million tokens read.'), 3),
  output: example(required(number(), 'For a million tokens written.'), 15),
  cachedInput: example(optional(number(), 'For a million tokens read from a cache.'), 0.3),
})

const variables = record(secret(anyText), /^[^\0=]+$/, 'the name of a variable', { verbatim: true })

const agent = object(
  {
    type: optional(choice(...agentTypes), 'The adapter to use, where the name of the agent does not tell.'),
    acp: example(
      optional(list(anyText, 1), 'A program that speaks the Agent Client Protocol: its arguments, no shell.'),
      ['my-agent', '--acp'],
    ),
    command: example(
      optional(list(anyText, 1), 'A program that speaks the command-agent protocol: its arguments, no shell.'),
      ['python3', 'agent.py'],
    ),
    script: example(optional(text, 'A YAML script played by the scripted agent.'), 'demo/script.yaml'),
    bin: example(optional(text, 'The executable of a built-in agent.'), '/opt/claude/bin/claude'),
    model: example(optional(text, 'The model to ask for.'), 'opus'),
    args: example(optional(list(anyText), 'More arguments for the executable.'), ['--verbose']),
    env: example(optional(variables, 'Variables for the agent; never shown.'), {
      ANTHROPIC_BASE_URL: 'http://localhost:8080',
    }),
    pass: example(optional(names(variable), 'Names of your variables that the agent sees besides the usual ones.'), [
      'AWS_REGION',
    ]),
    fallback: example(optional(names(text), 'Agents to use when this one cannot continue.'), ['codex']),
    tiers: example(optional(names(text), 'Models from cheap to strong.'), ['haiku', 'sonnet', 'opus']),
    timeoutMinutes: example(
      optional(minutes, `How long a turn may take; ${turnDefaults.timeoutMinutes} when absent.`),
      30,
    ),
    stallSeconds: example(
      optional(seconds, `How long a turn may be silent; ${turnDefaults.stallSeconds} when absent.`),
      300,
    ),
    maxSteps: example(
      optional(
        whole(),
        `Answers of the model and uses of tools in one turn; 0 means no limit, absent ${turnDefaults.maxSteps}.`,
      ),
      200,
    ),
    concurrency: example(optional(whole({ min: 1 }), 'Turns of this agent at the same time.'), 2),
    billing: optional(
      choice('api', 'subscription'),
      'Whether tokens are paid for; of a subscription no dollars are counted.',
    ),
    sandboxAllow: example(
      optional(names(text), 'Paths that this agent may write in the sandbox, besides those of `sandboxAllow`.'),
      ['~/.my-agent'],
    ),
    prices: example(
      optional(
        record(price, /^\S+$/, 'the name of a model'),
        'US dollars per million tokens, by model, for agents that do not report their cost.',
      ),
      { 'my-model': { input: 3, output: 15 } },
    ),
  },
  'agent',
)

const role = object(
  {
    agent: example(optional(text, 'The agent for this role.'), 'claude'),
    model: example(optional(text, 'The model for this role.'), 'opus'),
  },
  'role',
)

const check = object({
  name: example(required(label, 'The name shown in reports.'), 'test'),
  run: example(required(text, 'A shell line; exit code 0 is a pass.'), 'npm test'),
  timeoutMinutes: example(optional(minutes, `How long the check may take; ${checkTimeoutMinutes} when absent.`), 10),
  when: optional(
    choice('task', 'wave'),
    'For each task, or on all that has landed when a wave closes; task when absent.',
  ),
  hidden: example(optional(boolean, 'Held out: agents never see it.'), true),
  env: example(optional(variables, 'Variables for the check; never shown.'), { TEST_MODE: 'fast' }),
  pass: example(optional(names(variable), 'Names of your variables that the check sees besides the usual ones.'), [
    'DATABASE_URL',
  ]),
})

export const checkList = list(shorthand(check))
const amount = nullable(number())
const count = nullable(whole())
const commands = list(text)

export const settings = {
  workflow: example(
    setting(
      text,
      'supervised',
      'The workflow: supervised (also called converge), meta (a scaffold first, reviews by the wave), backlog, or the name of a pipeline.',
      'workflow',
    ),
    'backlog',
  ),
  source: setting(choice(...sourceKinds), 'todo-file', 'Where the tasks of a backlog come from.', 'source'),
  sourceName: example(
    setting(
      nullable(text),
      null,
      'The label in beads, or the task list of Claude Code; null means the default.',
      'source-name',
    ),
    'loop/auth',
  ),
  backlog: example(
    setting(inside, usualBacklog, 'The backlog file, from the root of the repository.', 'backlog'),
    'docs/to-do.json',
  ),
  agent: example(setting(nullable(text), null, 'The default agent; null means the installed one.', 'agent'), 'claude'),
  agents: example(
    setting(
      record(agent, /^[A-Za-z0-9][\w.-]{0,63}$/, 'a name of letters, digits, dots and dashes', {
        usual: builtInAgents,
        about: (name) => `Settings of the built-in agent ${name}.`,
      }),
      {},
      'Agents by name: settings of built-in ones, and programs of your own.',
    ),
    { claude: { model: 'opus' }, mine: { command: ['python3', 'agent.py'] } },
  ),
  roles: example(
    setting(
      per(roles, role, (name) => `Agent and model of the role ${name}.`),
      {},
      'Agent and model per role.',
    ),
    { planner: { agent: 'claude', model: 'opus' } },
  ),
  schedule: setting(
    choice('single', 'odd-even', 'round-robin'),
    'single',
    'How attempts are distributed among agents.',
    'schedule',
  ),
  rotation: example(setting(names(text), [], 'The agents that a schedule alternates.', 'rotation'), [
    'claude',
    'codex',
  ]),
  parallel: example(setting(whole({ min: 1 }), 4, 'Attempts in flight; 1 is deterministic.', 'parallel'), 1),
  checksParallel: example(
    setting(nullable(whole({ min: 1 })), null, 'Checks in flight; null means the number of cores.', 'checks-parallel'),
    2,
  ),
  workspace: group('Where agents work.', {
    mode: setting(
      choice('worktree', 'in-place'),
      'worktree',
      'One worktree per task, or the checkout itself (parallel must be 1).',
      'workspace',
    ),
    setup: example(
      setting(nullable(commands), null, 'Commands that prepare a worktree; null means discovered from the lock file.'),
      ['npm ci'],
    ),
    copy: example(setting(names(inside), [], 'Untracked files that a worktree needs.'), ['.env']),
    commit: setting(
      nullable(boolean),
      null,
      'Whether finished tasks are committed; null means: in worktrees.',
      'commit',
    ),
    folder: example(
      setting(
        nullable(outside),
        null,
        "Where workspaces are made, outside the checkout; null means the user's cache folder.",
      ),
      '~/looper-workspaces',
    ),
    env: example(optional(variables, 'Variables for the commands of setup; never shown.'), { HUSKY: '0' }),
    pass: example(optional(names(variable), 'Names of your variables that setup sees besides the usual ones.'), [
      'NPM_TOKEN',
    ]),
  }),
  checks: example(
    setting(nullable(checkList), null, 'What proves the work; null means discovered, [] switched off.', 'check'),
    ['npm test'],
    [{ name: 'lint', run: 'npm run lint', timeoutMinutes: 5 }],
  ),
  checkReruns: example(
    setting(
      whole({ max: 10 }),
      2,
      'How often a red check is run again on the same tree; one that passes then is flaky.',
      'check-reruns',
    ),
    0,
  ),
  baseline: setting(
    choice('no-worse', 'off'),
    'no-worse',
    'Whether checks are run before the first task: a task is not blamed for a check that failed then.',
    'baseline',
  ),
  guard: setting(
    choice('block', 'warn', 'off'),
    'block',
    'What happens when an agent deletes, skips or weakens tests, or makes checks easier to pass.',
    'guard',
  ),
  proof: setting(
    boolean,
    true,
    'Whether new tests are run without the change as well: only if they fail there do they prove it.',
    'proof',
  ),
  sandbox: example(
    setting(
      nullable(choice('off', 'os')),
      null,
      'Whether agents, checks and set-up run in a sandbox of the system; null means os where it works.',
      'sandbox',
    ),
    'os',
  ),
  sandboxAllow: example(
    setting(
      names(text),
      [],
      'Paths that they may read and write in the sandbox, besides the workspace; ~ is your home folder.',
      'sandbox-allow',
    ),
    ['~/.npmrc'],
  ),
  interaction: setting(
    choice('auto', 'autonomous', 'checkpoint', 'interactive'),
    'auto',
    'How much a person is asked; no effect in this version.',
    'interaction',
  ),
  limits: group('Bounds of every loop: 0 means none at all, null no limit.', {
    timeMinutes: example(setting(amount, 120, 'Minutes of running time.', 'time-minutes'), 30),
    costUsd: example(setting(amount, 25, 'Dollars spent on agents.', 'cost-usd'), 5),
    tokens: example(setting(count, null, 'Tokens spent on agents.', 'tokens'), 2_000_000),
    turns: example(setting(count, null, 'Turns of agents.', 'turns'), 100),
    iterations: example(setting(count, 50, 'Iterations of a loop; waves of a plan.', 'iterations'), 25),
    goalIterations: example(setting(count, 5, 'Rounds in which failed tasks are opened again.', 'goal-iterations'), 2),
    fixCycles: example(setting(count, 3, 'Fixes within an attempt.', 'fix-cycles'), 5),
    attempts: example(setting(count, 3, 'Attempts at a task before it is split.', 'attempts'), 2),
    splitDepth: example(setting(count, 3, 'How deep tasks are split.', 'split-depth'), 1),
    planRevisions: example(setting(count, 3, 'Revisions of a plan.', 'plan-revisions'), 1),
    recoveries: example(
      setting(count, 2, 'Recoveries from each kind of trouble before the run stops.', 'recoveries'),
      1,
    ),
    waitMinutes: example(setting(amount, 360, 'Minutes spent waiting for limits to be lifted.', 'wait-minutes'), 60),
    newTasks: example(setting(count, 20, 'Tasks that agents add to a run beside its plan.', 'new-tasks'), 5),
    diskMb: example(setting(amount, 4_096, 'Megabytes that turns write to the disk.', 'disk-mb'), 1_024),
  }),
  secrets: example(
    setting(
      names(secret(variable)),
      [],
      'Variables whose values are masked everywhere; !NAME is for one that only looks like a secret.',
    ),
    ['MY_TOKEN'],
  ),
  race: example(
    setting(
      per([...taskComplexities, 'retry'], whole({ min: 1, max: mostAtOnce }), (name) =>
        name === 'retry' ? 'Attempts side by side after one has failed.' : `Attempts at a ${name} task side by side.`,
      ),
      { complex: 1 },
      'Attempts made side by side, per complexity and after a failure; the best one lands.',
    ),
    { complex: 2, retry: 2 },
  ),
  thresholds: group('Scores that decide.', {
    approve: example(setting(number({ max: 100 }), 70, 'The lowest score at which work is approved.'), 80),
    revise: example(
      setting(number({ max: 100 }), 50, 'The lowest score at which a plan is revised rather than rejected.'),
      40,
    ),
    failedTasksAbort: example(
      setting(number({ max: 1 }), 0.5, 'The run fails when more than this share of its tasks did.'),
      0.25,
    ),
  }),
  review: setting(boolean, true, 'Whether agents review; when false, checks alone decide.', 'review'),
  sessions: setting(
    choice('fresh', 'resume'),
    'fresh',
    'Whether the fixes of an attempt resume the session of the agent.',
    'sessions',
  ),
  onUsageLimit: setting(
    choice('wait', 'fallback', 'pause'),
    'wait',
    'What happens when an agent is out of quota; with fallbacks configured, they are used unless this says otherwise.',
    'on-usage-limit',
  ),
  onPlanRejected: setting(
    choice('skip_and_continue', 'lower_threshold', 'abort'),
    'skip_and_continue',
    'What happens when the last revision of a plan is rejected.',
    'on-plan-rejected',
  ),
  onHangup: setting(
    choice('detach', 'stop'),
    'detach',
    'What a closed terminal means: the run continues in the background, or it stops and pauses.',
    'on-hangup',
  ),
  hooks: group('Commands that are called on events.', {
    postIteration: example(setting(commands, [], 'After each iteration.'), ['./notify.sh']),
    onQuestion: example(setting(commands, [], 'When a person is asked.'), ['./notify.sh']),
    onLimit: example(setting(commands, [], 'When a limit stops or delays a run.'), ['./notify.sh']),
    onEnd: example(setting(commands, [], 'When a run ends.'), ['./notify.sh']),
    timeoutSeconds: example(setting(seconds, 30, 'How long a hook may take.'), 10),
  }),
  notify: group('Notifications about a run.', {
    desktop: setting(boolean, false, 'Show desktop notifications.'),
    bell: setting(boolean, false, 'Ring the bell of the terminal.'),
    webhook: example(
      setting(nullable(secret(address)), null, 'An address that receives a POST request; never shown.'),
      'https://example.org/hook',
    ),
    on: example(setting(names(choice(...occasions)), [...occasions], 'The events to notify about.'), [
      'question',
      'end',
    ]),
  }),
}
export type Settings = { [K in keyof typeof settings]: ValueOf<(typeof settings)[K]> }

export const settingsSpec: Spec = object(settings)

export interface Key {
  /** `*` stands for a user-defined name. */
  path: readonly string[]
  /** Dotted: `limits.timeMinutes`. */
  name: string
  env: string
  /** Flag, default and description; null for names inside a record. */
  field: Field | null
  spec: Spec
}

const all: readonly Key[] = walk(settings, [])

/** Every key with a fixed name, groups before their members. */
export const keys: readonly Key[] = all.filter(({ path }) => !path.includes('*'))
/** Keys with a user-defined name in them, such as `agents.*.model`. */
export const openKeys: readonly Key[] = all.filter(({ path }) => path.includes('*'))

function walk(fields: Fields, above: readonly string[]): Key[] {
  return Object.entries(fields).flatMap(([name, field]) => expand([...above, name], field.spec, field))
}

function expand(path: readonly string[], spec: Spec, field: Field | null): Key[] {
  const key: Key = { path, name: path.join('.'), env: `LOOPER_${path.map(variablePart).join('_')}`, field, spec }
  if (spec.kind === 'object') return [key, ...walk(spec.fields, path)]
  if (spec.kind !== 'record') return [key]
  const within = spec.names instanceof RegExp ? ['*'] : spec.names
  return [key, ...within.flatMap((name) => expand([...path, name], spec.of, null))]
}

/** Converts `timeMinutes` to its part in a variable name: `TIME_MINUTES`. */
export function variablePart(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}
