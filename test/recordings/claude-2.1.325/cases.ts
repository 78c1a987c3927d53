/** What is particular about Claude Code. */
import { claudeAdapter } from '../../../src/agents/claude/index.ts'
import type { Contract } from '../../kit/adapter-contract.ts'
import { running, usuallyAnd, writing } from '../usual-cases.ts'

export const claude: Contract = {
  adapter: claudeAdapter, folder: 'claude-2.1.325', agent: { bin: 'claude', env: { TZ: 'UTC' } }, sessionKey: 'session_id',
  cases: usuallyAnd({
    'ok-text': { usage: [2_100, 30, 0.00311] },
    'tool-write': { events: writing('Write', { file_path: 'hello.txt', content: 'hello\n' }) },
    'tool-command': { events: running('Bash', { description: 'Run a command' }, [0, 3]) },
    'structured': { value: { status: 'done', summary: 'Said hello.' }, usage: [2_000, 30, 0.00286], steps: 2 },
    'structured-missing': { usage: [4_000, 60, 0.00572] },
    'structured-invalid': { value: { status: 'perhaps' }, usage: [10_000, 150, 0.0143], message: 'Output does not match' },
    'max-turns': { failure: 'max_turns', usage: [2_000, 200, 0.006], message: 'Reached maximum number of turns (2)' },
    'budget': { failure: 'budget', usage: [5_000, 100, 0.011], message: 'Reached maximum budget ($0.01)' },
    'auth-401': { unrecoverable: 'auth', message: 'Invalid API key' },
    'forbidden-403': { message: 'Failed to authenticate.' },
    'model-404': { message: 'There\'s an issue with the selected model (claude-sonnet-5).' },
    // Users who pay per token get no usage windows.
    'usage-limit-429': { failure: 'rate_limited' },
    'usage-limit-429-soon': { failure: 'rate_limited' },
    'overloaded-in-stream': { usage: [20, 2, 0.00006] },
    'overflow': { message: 'Prompt is too long' },
    'dropped': { usage: [10, 1, 0.00003] },
    'session-not-found': { message: 'No conversation found' },
    'subscription-ok': { usage: [1_000, 100, 0] },
    'subscription-auth-401': { failure: 'auth', unrecoverable: 'auth', message: 'Not logged in' },
    'subscription-rate-limit-429': { failure: 'rate_limited' },
    'subscription-usage-limit-429': {
      failure: 'usage_limit', resets: 'exact',
      events: ({ resetsAt = null }) => [{ type: 'quota', name: 'five_hour', used: 1, resetsAt }],
    },
    'subscription-usage-limit-429-soon': { failure: 'usage_limit', resets: 'exact', message: 'You\'ve hit your limit' },
  }),
}
