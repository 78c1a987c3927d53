import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandRequest } from '../model/ports.ts'
import { acknowledge, readInbox, sendCommand } from './inbox.ts'

let dir: string
let inbox: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-inbox-'))
  inbox = join(dir, 'inbox')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const requests: CommandRequest[] = [
  { do: 'pause' },
  { do: 'stop' },
  { do: 'abort' },
  { do: 'answer', question: 'Q1', answer: 'yes,\n"really" \u2028' },
  {
    do: 'add',
    task: { title: 'Add a flag', description: '', dependsOn: ['T001'], criteria: ['it works'], priority: null },
  },
  { do: 'add', task: { title: 'Another', description: 'x', dependsOn: [], criteria: [], priority: 2 } },
  {
    do: 'add',
    task: {
      title: 'Drop it',
      description: '',
      dependsOn: [],
      criteria: [],
      priority: null,
      repairs: ['lint'],
      allows: ['remove-tests:test/old/**'],
    },
  },
  { do: 'retry', task: 'T003' },
  { do: 'skip', task: 'T004', reason: null },
  { do: 'skip', task: 'T004', reason: 'not needed' },
  { do: 'rollback', to: null },
  { do: 'rollback', to: 'C1' },
  { do: 'limit', limits: { costUsd: 5, turns: null, attempts: 0 } },
]

describe('the inbox', () => {
  test('is empty before anybody asked', async () => {
    expect(await readInbox(dir)).toEqual([])
    await acknowledge(dir, 'nothing')
  })

  test('delivers every command in the order of asking until it is acknowledged', async () => {
    const ids: string[] = []
    for (const request of requests) ids.push(await sendCommand(dir, request))
    const expected = requests.map((request, index) => ({ ...request, id: ids[index] }))
    expect(await readInbox(dir)).toEqual(expected)
    expect(await readInbox(dir)).toEqual(expected)
    await acknowledge(dir, ids[0]!)
    await acknowledge(dir, ids[0]!)
    expect(await readInbox(dir)).toEqual(expected.slice(1))
  })

  test('is for the user alone', async () => {
    const id = await sendCommand(dir, { do: 'stop' })
    expect((await stat(inbox)).mode & 0o777).toBe(0o700)
    expect((await stat(join(inbox, `${id}.json`))).mode & 0o777).toBe(0o600)
  })

  test('takes many at once without losing one or their order', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => sendCommand(dir, { do: 'pause' })))
    expect((await readInbox(dir)).map((command) => command.id)).toEqual(ids)
    expect(new Set(ids).size).toBe(50)
  })

  test('ignores a command that is still being written', async () => {
    await mkdir(inbox)
    await writeFile(join(inbox, '.tmp-1-abc'), '{"do":"st')
    await writeFile(join(inbox, '.hidden.json'), '{"do":"stop"}')
    expect(await readInbox(dir)).toEqual([])
    expect(await readdir(inbox)).toHaveLength(2)
  })

  test('takes a file made by hand, its name being its id, without keys that do not belong', async () => {
    await mkdir(inbox)
    await writeFile(join(inbox, 'by-hand.json'), '{"do":"stop","id":"other","extra":1}')
    expect(await readInbox(dir)).toEqual([{ id: 'by-hand', do: 'stop' }])
  })

  test('acknowledges nothing outside itself', async () => {
    await mkdir(inbox)
    await writeFile(join(dir, 'state.json'), 'x')
    await acknowledge(dir, '../state')
    expect(await readFile(join(dir, 'state.json'), 'utf8')).toBe('x')
  })
})

describe('an invalid command is set aside, and the others are read', () => {
  const bad: [string, string][] = [
    ['no JSON', '{'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['text', '"stop"'],
    ['binary', '\0\xff\xfe'],
    ['no verb', '{}'],
    ['an unknown verb', '{"do":"explode"}'],
    ['an inherited verb', '{"do":"toString"}'],
    ['an answer without a question', '{"do":"answer","answer":"x"}'],
    ['a retry of a number', '{"do":"retry","task":3}'],
    ['a rollback to nowhere', '{"do":"rollback"}'],
    ['a skip without a reason key', '{"do":"skip","task":"T1"}'],
    [
      'a task without title',
      '{"do":"add","task":{"title":" ","description":"","dependsOn":[],"criteria":[],"priority":null}}',
    ],
    [
      'a task with odd dependencies',
      '{"do":"add","task":{"title":"x","description":"","dependsOn":[1],"criteria":[],"priority":null}}',
    ],
    [
      'a task with an odd priority',
      '{"do":"add","task":{"title":"x","description":"","dependsOn":[],"criteria":[],"priority":"high"}}',
    ],
    ['a task that is text', '{"do":"add","task":"x"}'],
    ['an unknown limit', '{"do":"limit","limits":{"patience":1}}'],
    ['a negative limit', '{"do":"limit","limits":{"turns":-1}}'],
    ['an inherited limit', '{"do":"limit","limits":{"constructor":1}}'],
    ['no limits', '{"do":"limit"}'],
    ['far too much', `{"do":"stop","x":"${'x'.repeat(2_000_000)}"}`],
  ]

  test.each(bad)('%s', async (_, text) => {
    await mkdir(inbox)
    await writeFile(join(inbox, '0.json'), text, 'latin1')
    await writeFile(join(inbox, '1.json'), '{"do":"stop"}')
    expect(await readInbox(dir)).toEqual([{ id: '1', do: 'stop' }])
    expect(await readFile(join(inbox, '0.json.bad'), 'latin1')).toBe(text)
    expect((await readdir(inbox)).toSorted()).toEqual(['0.json.bad', '1.json'])
  })

  test('a folder, a link, a pipe, an odd name', async () => {
    await mkdir(join(inbox, 'folder.json'), { recursive: true })
    await writeFile(join(dir, 'outside'), '{"do":"stop"}')
    await symlink(join(dir, 'outside'), join(inbox, 'link.json'))
    execFileSync('/usr/bin/mkfifo', [join(inbox, 'pipe.json')])
    await writeFile(join(inbox, 'a b\n.json'), '{"do":"stop"}')
    expect(await readInbox(dir)).toEqual([])
    expect((await readdir(inbox)).every((name) => name.endsWith('.bad'))).toBe(true)
  })

  test('also when it cannot be moved away', async () => {
    await mkdir(inbox)
    await writeFile(join(inbox, '0.json'), 'bad')
    await mkdir(join(inbox, '0.json.bad', 'x'), { recursive: true })
    await writeFile(join(inbox, '1.json'), '{"do":"stop"}')
    expect(await readInbox(dir)).toEqual([{ id: '1', do: 'stop' }])
  })
})
