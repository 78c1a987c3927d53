/** What is particular about Codex. */
import { codexAdapter } from '../../../src/agents/codex/index.ts'
import type { Contract } from '../../kit/adapter-contract.ts'
import { reporting, running, usuallyAnd, writing } from '../usual-cases.ts'

const timestamp = '2026-11-15T23:00:00.000Z'
const limits = { primary: { used_percent: 100, window_minutes: 300, resets_at: 1_794_789_918 }, secondary: null, plan_type: 'plus' }
const info = { total_token_usage: { input_tokens: 2_000, cached_input_tokens: 800, output_tokens: 30 } }
const error = { codex_error_info: { response: { http_status_code: 1 } } }

export const codex: Contract = {
  adapter: codexAdapter, folder: 'codex-0.166.0', sessionKey: 'thread_id',
  agent: { bin: 'codex', model: 'gpt-5.5', env: { TZ: 'UTC' }, prices: { 'gpt-5.5': { input: 2, cachedInput: 0.2, output: 10 } } },
  looser: { costComesLast: 'who pays, and for which model, only the file of its session tells' },
  extras: [
    { timestamp, type: 'turn_context', payload: { model: 'gpt-5.5' } },
    { timestamp, type: 'event_msg', payload: { type: 'token_count', rate_limits: limits, info } },
    { timestamp, type: 'event_msg', payload: { type: 'task_complete', error } },
  ],
  cases: usuallyAnd({
    'tool-write': { events: writing('apply_patch', { changes: [{ path: '{workspace}/hello.txt', kind: 'add' }] }) },
    'tool-command': { steps: 3, events: running('exec_command', {}, [0, 3], (line) => `/bin/bash -lc '${line}'`) },
    'mcp-report': { steps: 2, events: reporting('looper.report') },
    'structured': { value: { status: 'done', summary: 'Said hello.' }, usage: [2_000, 30, 0.00286], steps: 1 },
    'structured-missing': { usage: [2_000, 30, 0.00286] },
    'structured-invalid': { value: { status: 'perhaps' }, usage: [2_000, 30, 0.00286] },
    'auth-401': { message: 'Incorrect API key provided.' },
    'forbidden-403': { message: 'You are not allowed to use this model.' },
    'model-404': { message: 'The model does not exist' },
    'usage-limit-429': { resets: 'within a minute' },
    'usage-limit-429-soon': { resets: 'within a minute' },
    // It says no more than that the stream ended too early, which a bad connection explains as well.
    'garbage': { failure: 'network' },
    'dropped-then-ok': { usage: [10, 5, 0.00007] },
    // Nothing tells that it was asked to stop.
    'interrupted': { failure: 'crash' },
    'session-not-found': { message: 'no rollout found for thread id' },
  }),
}
