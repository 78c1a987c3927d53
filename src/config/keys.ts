/** Every key of the configuration, once: validation, defaults, variables, flags, JSON Schema and documentation all come from here. */
import { sourceKinds } from '../model/source.ts'
import { agentTypes, checkTimeoutMinutes, turnDefaults } from '../model/config.ts'
import { roles } from '../model/role.ts'
import { taskComplexities } from '../model/vocabulary.ts'
import {
  anyText, boolean, choice, group, list, names, nullable, number, object, optional, per, positive, record, required, secret, setting,
  shorthand, text, textLike, whole,
} from './spec.ts'
import type { Field, Fields, Spec } from './spec.ts'

type ValueOf<F> = F extends Field<infer T> ? T : never

/** Longer timers than a week overflow, and nobody means them. */
const minutes = positive(7 * 24 * 60)
const seconds = positive(7 * 24 * 60 * 60)
const variable = textLike('the name of a variable', /^[^\0=\s]+$/)
const inside = textLike('a path inside the repository', /^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+$/)
const label = textLike('one line of at most 80 characters', /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,80}$/u)

const price = object({
  input: required(number(), 'For a million tokens read.'),
  output: required(number(), 'For a million tokens written.'),
  cachedInput: optional(number(), 'For a million tokens read that the provider had kept.'),
})

const agent = object({
  type: optional(choice(...agentTypes), 'How it is driven, where its name does not say so.'),
  acp: optional(list(anyText, 1), 'A program that speaks the Agent Client Protocol: its arguments, no shell.'),
  command: optional(list(anyText, 1), 'A program that speaks the command-agent protocol: its arguments, no shell.'),
  script: optional(text, 'A YAML script played by the scripted agent.'),
  bin: optional(text, 'The executable of a built-in agent.'),
  model: optional(text, 'The model to ask for.'),
  args: optional(list(anyText), 'More arguments for the executable.'),
  env: optional(record(secret(anyText), /^[^\0=]+$/, 'the name of a variable'), 'Variables for the agent.'),
  fallback: optional(names(text), 'Agents to go on with when this one cannot.'),
  tiers: optional(names(text), 'Models from cheap to strong.'),
  timeoutMinutes: optional(minutes, `How long a turn may take; ${turnDefaults.timeoutMinutes} when absent.`),
  stallSeconds: optional(seconds, `How long a turn may be silent; ${turnDefaults.stallSeconds} when absent.`),
  maxSteps: optional(whole(), `Answers of the model and uses of tools in one turn; 0 means no limit, absent ${turnDefaults.maxSteps}.`),
  concurrency: optional(whole({ min: 1 }), 'Turns of this agent at the same time.'),
  billing: optional(choice('api', 'subscription'), 'Whether tokens are paid for; of a subscription no dollars are counted.'),
  prices: optional(
    record(price, /^\S+$/, 'the name of a model'), 'US dollars per million tokens, by model, for agents that do not tell their cost.',
  ),
})

const role = object({
  agent: optional(text, 'The agent for this role.'),
  model: optional(text, 'The model for this role.'),
})

const check = object({
  name: required(label, 'The name shown in reports.'),
  run: required(text, 'A shell line; exit code 0 is a pass.'),
  timeoutMinutes: optional(minutes, `How long the check may take; ${checkTimeoutMinutes} when absent.`),
})

const amount = nullable(number())
const count = nullable(whole())

export const settings = {
  workflow: setting(
    text, 'supervised', 'The workflow: supervised (converge means the same for now), backlog, or the name of a pipeline.', 'workflow',
  ),
  source: setting(choice(...sourceKinds), 'todo-file', 'Where the tasks of a backlog come from.', 'source'),
  sourceName: setting(
    nullable(text), null, 'Which of them: the label in beads, the list of Claude Code; null means the usual one.', 'source-name',
  ),
  backlog: setting(inside, 'to-do.json', 'The backlog file, from the root of the repository.', 'backlog'),
  agent: setting(nullable(text), null, 'The default agent; null means the installed one.', 'agent'),
  agents: setting(record(agent, /^[A-Za-z0-9][\w.-]{0,63}$/, 'a name of letters, digits, dots and dashes'), {},
    'Agents by name: settings of built-in ones, and programs of your own.'),
  roles: setting(per(roles, role), {}, 'Agent and model per role.'),
  schedule: setting(choice('single', 'odd-even', 'round-robin'), 'single', 'How attempts are shared out among agents.', 'schedule'),
  rotation: setting(names(text), [], 'The agents that a schedule alternates.', 'rotation'),
  parallel: setting(whole({ min: 1 }), 4, 'Attempts in flight; 1 is deterministic.', 'parallel'),
  checksParallel: setting(nullable(whole({ min: 1 })), null, 'Checks in flight; null means the number of cores.', 'checks-parallel'),
  workspace: group('Where agents work.', {
    mode: setting(choice('worktree', 'in-place'), 'worktree',
      'One worktree per task, or the checkout itself (parallel must be 1).', 'workspace'),
    setup: setting(nullable(list(text)), null, 'Commands that prepare a worktree; null means discovered from the lock file.'),
    copy: setting(names(inside), [], 'Untracked files that a worktree needs.'),
    commit: setting(nullable(boolean), null, 'Whether finished tasks are committed; null means: in worktrees.', 'commit'),
  }),
  checks: setting(nullable(list(shorthand(check))), null, 'What proves the work; null means discovered, [] switched off.', 'check'),
  interaction: setting(choice('auto', 'autonomous', 'checkpoint', 'interactive'), 'auto',
    'How much a person is asked; no effect in this version.', 'interaction'),
  limits: group('Bounds of every loop: 0 means none at all, null no limit.', {
    timeMinutes: setting(amount, 120, 'Minutes of running time.', 'time-minutes'),
    costUsd: setting(amount, 25, 'Dollars spent on agents.', 'cost-usd'),
    tokens: setting(count, null, 'Tokens spent on agents.', 'tokens'),
    turns: setting(count, null, 'Turns of agents.', 'turns'),
    iterations: setting(count, 50, 'Iterations of a loop.', 'iterations'),
    goalIterations: setting(count, 5, 'Rounds in which failed tasks are opened again.', 'goal-iterations'),
    fixCycles: setting(count, 3, 'Fixes within an attempt.', 'fix-cycles'),
    attempts: setting(count, 3, 'Attempts at a task before it is split.', 'attempts'),
    splitDepth: setting(count, 3, 'How deep tasks are split.', 'split-depth'),
    planRevisions: setting(count, 3, 'Revisions of a plan.', 'plan-revisions'),
    recoveries: setting(count, 2, 'Recoveries before a person is asked; no effect in this version.', 'recoveries'),
    waitMinutes: setting(amount, 360, 'Minutes spent waiting for limits to be lifted.', 'wait-minutes'),
  }),
  secrets: setting(names(secret(variable)), [], 'Variables whose values are masked everywhere and kept from checks.'),
  race: setting(per(taskComplexities, whole({ min: 1 })), { complex: 1 },
    'Attempts made side by side, per complexity; no effect in this version.'),
  thresholds: group('Scores that decide.', {
    approve: setting(number({ max: 100 }), 70, 'From this score on, work is approved.'),
    revise: setting(number({ max: 100 }), 50, 'From this score on, a plan is revised rather than rejected.'),
    failedTasksAbort: setting(number({ max: 1 }), 0.5, 'The run fails when more than this share of its tasks did.'),
  }),
  review: setting(boolean, true, 'Whether agents judge at all; false leaves it to the checks.', 'review'),
  sessions: setting(choice('fresh', 'resume'), 'fresh',
    'Whether an agent goes on in its session for the fixes of an attempt.', 'sessions'),
  onUsageLimit: setting(
    choice('wait', 'fallback', 'pause'), 'wait',
    'What happens when an agent is out of quota; with fallbacks configured, they are used unless this says otherwise.', 'on-usage-limit',
  ),
  onPlanRejected: setting(choice('skip_and_continue', 'lower_threshold', 'abort'), 'skip_and_continue',
    'What happens when the last revision of a plan is rejected.', 'on-plan-rejected'),
  hooks: group('Commands told of what happens; no effect in this version.', {
    postIteration: setting(list(text), [], 'After each iteration; no effect in this version.'),
    onQuestion: setting(list(text), [], 'When a person is asked; no effect in this version.'),
    onEnd: setting(list(text), [], 'When a run ends; no effect in this version.'),
  }),
}
export type Settings = { [K in keyof typeof settings]: ValueOf<(typeof settings)[K]> }

export const settingsSpec: Spec = object(settings)

export interface Key {
  path: readonly string[]
  /** Dotted: `limits.timeMinutes`. */
  name: string
  env: string
  /** Flag, default and description; null for names inside a record. */
  field: Field | null
  spec: Spec
}

/** Every key that has a fixed name, groups before their members. */
export const keys: readonly Key[] = walk(settings, [])

function walk(fields: Fields, above: readonly string[]): Key[] {
  return Object.entries(fields).flatMap(([name, field]) => expand([...above, name], field.spec, field))
}

function expand(path: readonly string[], spec: Spec, field: Field | null): Key[] {
  const key: Key = { path, name: path.join('.'), env: envName(path), field, spec }
  if (spec.kind === 'object') return [key, ...walk(spec.fields, path)]
  if (spec.kind === 'record' && !(spec.names instanceof RegExp)) {
    return [key, ...spec.names.flatMap((name) => expand([...path, name], spec.of, null))]
  }
  return [key]
}

function envName(path: readonly string[]): string {
  return `LOOPER_${path.map((part) => part.replace(/[A-Z]/g, '_$&')).join('_').toUpperCase()}`
}
