/** In a process of a run, commands that change anything are refused and commands that read work. */
import { describe, expect, test } from 'vitest'
import { changingCalls } from '../../../test/kit/changing-calls.ts'
import { call, terminal } from '../../../test/kit/cli.ts'
import { catalog, changesAnything } from './catalog.ts'
import { locate } from './locate.ts'

const reading = [
  ['status'],
  ['runs'],
  ['ls'],
  ['tail'],
  ['logs'],
  ['report'],
  ['diff'],
  ['stats'],
  ['pipeline', 'ls'],
  ['pipeline', 'lint'],
  ['pipeline', 'dry-run', 'polish'],
  ['lint'],
  ['replay'],
  ['validate'],
  ['fmt'],
  ['fmt', '--diff'],
  ['config'],
  ['config', 'get', 'agent'],
  ['config', 'path'],
  ['doctor'],
  ['completion', 'bash'],
  ['version'],
  ['attach'],
  ['run', 'do it', '--dry-run'],
  ['resume', '--dry-run'],
  ['clean', '--dry-run'],
  ['release', '--dry-run'],
  ['push', '--dry-run'],
  ['import', 'a', '--dry-run'],
  ['apply', '--help'],
  ['--help'],
]
const inside = (): ReturnType<typeof terminal> =>
  terminal({ env: { LOOPER_INSIDE: '1' }, tty: true, stdin: 'y\n', columns: 400 })

test('every command is known here, as one that changes something or as one that reads', () => {
  const read = reading.map((argv) => locate(argv)).map((found) => (found.kind === 'command' ? found.entry.name : null))
  for (const { name, changes } of catalog) {
    expect(changes === false ? read.includes(name) : Object.hasOwn(changingCalls, name), name).toBe(true)
  }
})

describe.each(Object.entries(changingCalls))('%s', (_, calls) => {
  test.each(calls.map((argv) => [argv]))('looper %j is refused before anything is asked or done', async (argv) => {
    const { code, stdout, stderr, app } = await call(argv, { io: inside() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^looper: [^\n]+\n {2}[^\n]+\n$/)
    expect(app?.asked).toMatchObject({ run: [], resume: [], told: [], events: [], other: [], stops: [] })
  })
})

test.each(reading.map((argv) => [argv]))('looper %j works', async (argv) => {
  const [within, outside] = [
    await call(argv, { io: inside() }),
    await call(argv, { io: terminal({ tty: true, stdin: 'y\n', columns: 400 }) }),
  ]
  expect({ ...within, app: null }).toEqual({ ...outside, app: null })
})

test('an option decides only where the table names it', () => {
  expect(changesAnything({ changes: { when: ['write'] } }, { write: true })).toBe(true)
  expect(changesAnything({ changes: { when: ['write'] } }, {})).toBe(false)
  expect(changesAnything({ changes: { unless: 'dryRun' } }, { dryRun: true })).toBe(false)
  expect(changesAnything({ changes: { unless: 'dryRun' } }, {})).toBe(true)
})
