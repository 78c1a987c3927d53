/** What is particular about Gemini CLI. */
import { geminiAdapter } from '../../../src/agents/gemini/index.ts'
import type { Contract } from '../../kit/adapter-contract.ts'
import { reporting, running, usuallyAnd, writing } from '../usual-cases.ts'

export const gemini: Contract = {
  adapter: geminiAdapter, folder: 'gemini-0.61.0', sessionKey: 'session_id',
  agent: { bin: 'gemini', prices: { 'gemini-2.5-pro': { input: 2, cachedInput: 0.2, output: 10 } } },
  cases: usuallyAnd({
    'tool-write': { events: writing('write_file', { file_path: 'hello.txt', content: 'hello\n' }) },
    // It never tells how a command exited.
    'tool-command': { events: running('run_shell_command', { description: 'Run a command' }, [null, null]) },
    'mcp-report': { events: reporting('mcp_looper_report') },
    'max-turns': { failure: 'max_turns', session: undefined, usage: [20, 10, 0.00014], message: 'Reached max session turns' },
    'auth-401': { message: 'Request had invalid authentication credentials.' },
    'forbidden-403': { message: 'The caller does not have permission' },
    'model-404': { message: 'models/m is not found' },
    'rate-limit-429-retry-after': { resetsIn: 2 },
    'rate-limit-429-long': { resetsIn: 7_200 },
    'usage-limit-429': { message: 'You have exhausted your daily quota on this model.' },
    // It tells no more than that the stream ended too early.
    'overloaded-in-stream': { failure: 'network' },
    // Asked to stop, it goes as if all were well.
    'interrupted': { failure: 'crash' },
    'terminated': { failure: 'crash' },
    'session-not-found': { message: 'No previous sessions found' },
    // It keeps no session in which the model never came to an answer.
  }, { session: false }),
}
