import { describe, expect, test } from 'vitest'
import { hostileText } from '../../../test/kit/runs.ts'
import type { LogContent, LogEvent, LogOrigin } from '../../model/log.ts'
import { createLogText } from './log-text.ts'
import { noPaint } from '../text/paint.ts'

const coder: LogOrigin = { run: '001-x', task: 'T001', turn: 'T001/a1/implement', role: 'coder', agent: 'claude' }
const looper: LogOrigin = { run: '001-x', task: 'T001', turn: 'T001/a1/check0/1', role: null, agent: null }
const line = (content: LogContent, origin = coder): LogEvent => ({
  timestamp: '2026-01-01T12:34:56.789Z',
  ...content,
  ...origin,
})
const text = (...events: LogEvent[]): string => events.map(createLogText(noPaint)).join('')

test('D8: names the agent when it changes, then prints its messages and actions', () => {
  expect(
    text(
      line({ type: 'message', content: 'I look around.\n\nThen I begin.' }),
      line({ type: 'tool_use', name: 'Read', input: { file_path: 'src/a.ts', limit: 3 } }),
      line({ type: 'command', command: 'npm test', exitCode: 1 }),
      line({ type: 'error', error: 'overloaded: busy' }),
      line({ type: 'summary', status: 'done', task_id: 'T001', summary: 'made it', new_tasks: [{}, {}] }),
      line({ type: 'command', command: 'npm test', exitCode: 0 }, looper),
      line(
        { type: 'summary', status: 'done', task_id: null, summary: 'score 42: not yet', new_tasks: [] },
        { ...coder, task: null, role: 'supervisor', turn: 'gate/g1/verify' },
      ),
    ),
  ).toBe(
    [
      '── T001 · coder · claude · T001/a1/implement',
      '12:34:56 UTC I look around.',
      '',
      '             Then I begin.',
      '12:34:56 UTC · Read src/a.ts',
      '12:34:56 UTC $ npm test → 1',
      '12:34:56 UTC ✗ the agent is overloaded: busy',
      '12:34:56 UTC ✓ done: made it · 2 tasks',
      '── T001 · Looper',
      '12:34:56 UTC $ npm test → 0 (task)',
      '── supervisor · claude · gate/g1/verify',
      '12:34:56 UTC ◆ score 42: not yet',
      '',
    ].join('\n'),
  )
})

describe('details', () => {
  test.each<[LogContent, string]>([
    [{ type: 'tool_use', name: 'grep', input: { pattern: 'x y', glob: '*' } }, '· grep x y'],
    [{ type: 'tool_use', name: 'odd', input: { a: [1, 2] } }, '· odd {"a":[1,2]}'],
    [{ type: 'tool_use', name: 'odd', input: 7 }, '· odd 7'],
    [{ type: 'tool_use', name: 'none', input: null }, '· none'],
    [{ type: 'command', command: 'ls', exitCode: null }, '$ ls'],
    [{ type: 'summary', status: 'blocked', task_id: null, summary: '', new_tasks: [] }, '! blocked'],
    [
      { type: 'summary', status: 'needs_clarification', task_id: null, summary: 'Which database?', new_tasks: [] },
      '? asks: Which database?',
    ],
  ])('%j', (content, expected) => {
    expect(text(line(content)).split('\n')[1]).toBe(`12:34:56 UTC ${expected}`)
  })

  test('a long message is cut, with a remark', () => {
    const shown = text(line({ type: 'message', content: 'x'.repeat(12_345) }))
    expect(shown).toMatch(/x\n {13}… 2345 more characters \(--json shows them\)\n$/)
    expect(shown.length).toBeLessThan(10_200)
  })

  test.each<LogContent>([
    { type: 'message', content: hostileText },
    { type: 'tool_use', name: hostileText, input: { path: hostileText } },
    { type: 'tool_use', name: 'x', input: { [hostileText]: hostileText } },
    { type: 'command', command: hostileText, exitCode: 0 },
    { type: 'error', error: hostileText },
    { type: 'summary', status: hostileText, task_id: hostileText, summary: hostileText, new_tasks: [hostileText] },
  ])('hostile words are plain: $type', (content) => {
    const shown = text(line(content, { ...coder, agent: hostileText, task: hostileText }))
    // eslint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    expect(shown).not.toMatch(/^FAKE/m)
  })
})

test('local time with its zone, wrapped at words below the text', () => {
  const write = createLogText(noPaint, { zone: () => -210, width: 40 })
  expect(write(line({ type: 'message', content: 'one two three four five six seven' }))).toBe(
    '── T001 · coder · claude · T001/a1/implement\n09:04:56 -03:30 one two three four five\n                six seven\n',
  )
})

test.each([
  ['baseline/1', 'base'],
  ['T001/a1/proof0/1', 'proof'],
  ['T001/a1/reverse0/1', 'old tests'],
  ['T001/a1/check0.1/1.rerun1', 'task'],
  ['wave2/at3/1', 'wave'],
  ['gate/g1/1', 'gate'],
  ['loop1.2/check/1', 'iteration'],
])('a check says why it ran: %s is %s', (turn, reason) => {
  const event = line({ type: 'command', command: 'npx ava', exitCode: 1 }, { ...looper, turn })
  expect(text(event)).toContain(`$ npx ava → 1 (${reason})\n`)
})
