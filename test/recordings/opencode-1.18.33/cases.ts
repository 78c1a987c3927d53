/** What is particular about OpenCode. */
import { opencodeAdapter } from '../../../src/agents/opencode/index.ts'
import type { Contract, Expected } from '../../kit/adapter-contract.ts'
import { reporting, running, usuallyAnd, writing } from '../usual-cases.ts'

/** It said nothing until it was killed. */
const silent: Expected = { failure: 'crash', session: false }

export const opencode: Contract = {
  adapter: opencodeAdapter, folder: 'opencode-1.18.33', agent: { bin: 'opencode' }, sessionKey: 'sessionID',
  looser: {
    exitDecides: 'it has no word for its end: its last step is one only when it then goes as if all were well',
    goesInCircles: ['overflow-loop', 'garbage', 'compaction-loop'],
  },
  cases: usuallyAnd({
    'tool-write': { events: writing('write', { filePath: 'hello.txt', content: 'hello\n' }) },
    'tool-command': { events: running('bash', { description: 'Run a command' }, [0, 3]) },
    'mcp-report': { events: reporting('looper_report') },
    'auth-401': { message: 'Incorrect API key provided.' },
    'forbidden-403': { message: 'You are not allowed to use this model.' },
    'model-404': { message: 'The model does not exist' },
    'rate-limit-429-retry-after': { resetsIn: 2 },
    'usage-limit-429-soon': { resets: 'exact' },
    'rate-limit-429-long': silent,
    'rate-limit-429-logs': silent,
    'usage-limit-429': silent,
    'overloaded-in-stream': { steps: 6, message: 'The server had an error' },
    // These would never have ended by themselves.
    'overflow-loop': { failure: 'context_overflow', unrecoverable: 'context_overflow', steps: 7, usage: [70, 35, 0.00049] },
    'garbage': { failure: 'crash', unrecoverable: 'bad_response', steps: 12 },
    'compaction-loop': { failure: 'crash', unrecoverable: 'context_overflow', steps: 12, usage: [3_000_000, 120, 6.0012] },
    'session-not-found': { message: 'Session not found' },
  }),
}
