import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadScript } from './load-script.ts'

const folder = mkdtempSync(join(tmpdir(), 'looper-script-'))
afterAll(() => rmSync(folder, { recursive: true }))

function load(source: string): ReturnType<typeof loadScript> {
  const path = join(folder, 'play.yaml')
  writeFileSync(path, source)
  return loadScript(path)
}

test('a script with every kind of step is read', async () => {
  const script = await load(`
turns:
  - match: { role: coder, purpose: implement, task: T001, attempt: 1, nth: 2, prompt: please }
    times: 3
    steps:
      - write: { path: a.txt, content: "one" }
      - append: { path: a.txt, content: "two" }
      - replace: { path: a.txt, find: one, with: 1 two }
      - delete: a.txt
      - run: [git, status]
      - sleep: 5
      - message: hello
      - tool_use: { name: edit, input: { file: a } }
      - usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 }
      - error: { kind: overloaded, message: busy }
      - session: s1
      - garbage: true
      - flood: 10
      - background: 5
      - result: { status: complete }
      - hang: stubborn
      - signal: SIGSEGV
      - exit: 3
  - steps: []
`)
  expect(script.turns).toHaveLength(2)
  expect(script.turns[0]?.match).toEqual({
    role: 'coder',
    purpose: 'implement',
    task: 'T001',
    attempt: 1,
    nth: 2,
    prompt: 'please',
  })
  expect(script.turns[0]?.steps.at(-1)).toEqual({ kind: 'exit', value: 3 })
  expect(script.turns[1]).toEqual({ match: {}, times: Infinity, steps: [] })
})

test.each([
  ['', 'play.yaml:1: a script is a map with a list of "turns"'],
  ['turns: nothing', 'play.yaml:1: a script is a map with a list of "turns"'],
  ['turns:\n  - steps: []\n  - oops', 'play.yaml:3: a turn is a map with "match" and "steps"'],
  ['turns:\n  - match: { role: coder }', 'play.yaml:2: a turn needs a list of "steps"'],
  [
    'turns:\n  - match:\n      rolle: coder\n    steps: []',
    'play.yaml:3: unknown key "rolle": expected role, purpose, task, attempt, nth, prompt',
  ],
  ['turns:\n  - match:\n      attempt: first\n    steps: []', 'play.yaml:3: attempt must be a whole number above 0'],
  [
    'turns:\n  - steps:\n      - wirte: { path: a, content: b }',
    /^play\.yaml:3: unknown key "wirte": expected write, /,
  ],
  ['turns:\n  - steps:\n      - write: { path: a }', 'play.yaml:3: write content must be text'],
  ['turns:\n  - steps:\n      - write: { path: a, content: b, mode: 7 }', 'play.yaml:3: write has no key "mode"'],
  [
    'turns:\n  - steps:\n      - run: rm -rf /',
    'play.yaml:3: run must be a list of words: the program and its arguments',
  ],
  ['turns:\n  - steps:\n      - sleep: 1\n        exit: 2', /^play\.yaml:3: a step is a map with one key/],
  ['turns:\n  - times: 0\n    steps: []', 'play.yaml:2: times must be a whole number above 0'],
  ['turns:\n  - steps: [', /^play\.yaml:2: /],
  ['turns: []\nturns: []', /^play\.yaml:2: Map keys must be unique/],
])('%j is refused with its line', async (source, message) => {
  const error = await load(source).then(
    () => null,
    (refusal: unknown) => refusal,
  )
  expect(error).toMatchObject({ code: 'AGENT_SCRIPT', exitCode: 2 })
  expect((error as Error).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect((error as Error).message).not.toContain('\n')
})

test('one that nests so deeply that reading it would take the process down is refused', async () => {
  await expect(load(`turns:\n  - steps:\n      - result: ${'['.repeat(100_000)}`)).rejects.toMatchObject({
    code: 'AGENT_SCRIPT',
    message: 'play.yaml:3: nested too deeply',
  })
})

test('a script that is not there is named', async () => {
  await expect(loadScript(join(folder, 'none.yaml'))).rejects.toMatchObject({
    code: 'AGENT_SCRIPT',
    message: `cannot read the script ${join(folder, 'none.yaml')}`,
  })
})
