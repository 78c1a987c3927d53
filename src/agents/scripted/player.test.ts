/** Tests the player as a process: what a script can make it do, and its errors for an invalid script. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { playTurn, type PlayedTurn } from '../../../test/kit/play-turn.ts'
import { sampleTurn } from '../../../test/kit/state.ts'
import { createScriptedAdapter } from './index.ts'

const adapter = createScriptedAdapter({ playerPath: join(import.meta.dirname, 'player.js') })
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-player-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function play(text: string): Promise<PlayedTurn> {
  const script = join(root, 'script.yaml')
  writeFileSync(script, text)
  return playTurn(adapter, root, { agent: { script }, work: sampleTurn({ attempt: 2 }) })
}

test.each([
  ['turns: []', /^the script has no turn for role=coder purpose=implement task=T002 attempt=2$/],
  ['turns:\n  - steps:\n      - jump: 1', /^script\.yaml:3: unknown key "jump"/],
  ['{ "turns": [\n{ "steps": [\n{ "jump": 1 } ] } ] }', /^script\.yaml:3: unknown key "jump"/],
  ['turns:\n  - steps:\n      - replace: { path: none.txt, find: a, with: b }', /^the script failed: ENOENT/],
  [
    'turns:\n  - steps:\n      - write: { path: a, content: b }\n      - replace: { path: a, find: zzz, with: b }',
    /a does not hold "zzz"/,
  ],
  ['turns:\n  - steps:\n      - run: [no-such-program-anywhere]', /ENOENT/],
])('%j is a matter of configuration', async (text, message) => {
  expect((await play(text)).answer.failure).toEqual({
    kind: 'config',
    message: expect.stringMatching(message),
    resetsAt: null,
  })
})

test("edits files for real, with the turn's own names", async () => {
  const { cwd, answer } = await play(`turns:
  - match: { role: coder, task: T002, attempt: 2 }
    steps:
      - write: { path: "deep/\${LOOPER_TASK}.txt", content: "one two \${other}\\n" }
      - append: { path: "deep/T002.txt", content: "three\\n" }
      - replace: { path: "deep/T002.txt", find: two, with: "$& 2" }
      - write: { path: gone.txt, content: "" }
      - delete: gone.txt
      - run: [cp, deep/T002.txt, copy.txt]
      - result: { status: complete, summary: "\${LOOPER_ROLE} \${LOOPER_ATTEMPT}" }
`)
  expect(readFileSync(join(cwd, 'copy.txt'), 'utf8')).toBe('one $& 2 ${other}\nthree\n')
  expect(existsSync(join(cwd, 'gone.txt'))).toBe(false)
  expect(answer.value).toEqual({ status: 'complete', summary: 'coder 2' })
})

test('plays a script that is JSON', async () => {
  const { answer } = await play(
    '{ "turns": [{ "steps": [{ "result": { "status": "complete", "summary": "fine" } }] }] }',
  )
  expect(answer.value).toEqual({ status: 'complete', summary: 'fine' })
})

test('floods to the byte, and babbles in bytes that are no text', async () => {
  expect((await play('turns: [{ steps: [{ flood: 200000 }] }]')).stdout).toHaveLength(200_000)
  const { stdout, answer } = await play('turns: [{ steps: [{ garbage: true }] }]')
  expect(stdout).toContain('\uFFFD')
  expect(answer).toMatchObject({ value: null, failure: null })
})
