/** Keys of agents and roles, and of the schedule that shares out attempts. */
import { agentTypes, turnDefaults } from '../../model/config.ts'
import { roles } from '../../model/purposes.ts'
import { example, optional, required, setting } from '../../schema/field.ts'
import { anyText, choice, list, names, nullable, number, object, per, record, text, whole } from '../../schema/spec.ts'
import { minutes, seconds, variable, variables } from './values.ts'

/** Agents that need no entry in the configuration. */
export const builtInAgents = ['claude', 'codex', 'gemini', 'opencode'] as const

const price = object({
  input: example(required(number(), 'For a million tokens read.'), 3),
  output: example(required(number(), 'For a million tokens written.'), 15),
  cachedInput: example(optional(number(), 'For a million tokens read from a cache.'), 0.3),
})

const agent = object(
  {
    type: optional(choice(...agentTypes), 'The adapter to use, where the name of the agent does not imply it.'),
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

export const agentKeys = {
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
}
