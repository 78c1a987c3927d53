import { expect, test } from 'vitest'
import type { LogEvent, LogOrigin } from '../../model/log.ts'
import type { RunState } from '../../model/state.ts'
import { recordCall, turnLines, type LastCalls } from './turn-activity.ts'

const origin: LogOrigin = { run: '001-x', task: 'T001', turn: 'T001/a1/implement', role: 'coder', agent: 'claude' }
const at = '2026-01-01T00:00:00.000Z'
const turn = (id: string, task: string | null, purpose: string) => ({
  startedAt: at,
  work: { kind: 'turn', id, task, purpose, agent: 'claude' },
})
const works = {
  a: turn('T001/a1/implement', 'T001', 'implement'),
  b: turn('plan/r1', null, 'plan'),
  c: { startedAt: at, work: { kind: 'check', id: 'baseline/1', name: 'test' } },
} as unknown as RunState['works']

function after(...events: LogEvent[]): LastCalls {
  const calls: LastCalls = new Map()
  for (const event of events) recordCall(calls, event)
  return calls
}

test('one line for each agent at work: its last tool call or command', () => {
  const read: LogEvent = { type: 'tool_use', name: 'Read', input: { file_path: 'src/a.ts' }, timestamp: at, ...origin }
  const ran: LogEvent = { type: 'command', command: 'npm test', exitCode: 0, timestamp: at, ...origin }
  const said: LogEvent = { type: 'message', content: 'now I begin', timestamp: at, ...origin }
  const own: LogEvent = { ...ran, command: 'its check', agent: null }
  expect(turnLines({ works }, after(), 80)).toEqual(['  T001 · claude: started', '  planning · claude: started'])
  expect(turnLines({ works }, after(read, said, own), 80)[0]).toBe('  T001 · claude: Read src/a.ts')
  expect(turnLines({ works }, after(read, ran), 80)[0]).toBe('  T001 · claude: $ npm test')
  expect(turnLines({ works }, after(read), 20)[0]).toBe('  T001 · claude: Re…')
})

test('what an agent says cannot move the cursor', () => {
  const evil: LogEvent = { type: 'tool_use', name: 'x\u001B[2J', input: 'a\nb\r\u001B[1A', timestamp: at, ...origin }
  expect(turnLines({ works }, after(evil), 80)[0]).toBe('  T001 · claude: x "a\\nb\\r\\u001b[1A"')
})
