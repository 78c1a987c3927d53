/** Looper's own programs print today what is recorded of them. With --update they are recorded anew. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { playTurn } from '../kit/play-turn.ts'
import { recordingPath } from '../kit/recording.ts'
import { sampleTurn } from '../kit/state.ts'
import { acp } from './acp-0.1.0/cases.ts'
import { command } from './command-0.1.0/cases.ts'
import { scripted } from './scripted-0.1.0/cases.ts'

const root = mkdtempSync(join(tmpdir(), 'looper-own-'))
afterAll(() => rmSync(root, { recursive: true }))

describe.each([command, scripted, acp])('$folder', ({ adapter, folder, agent, cases }) => {
  test.each(Object.entries(cases))('%s', async (name, expected) => {
    const place = mkdtempSync(join(root, 'turn-'))
    const turn = await playTurn(adapter, place, {
      agent: { ...agent, ...expected.agent },
      work: sampleTurn({ task: name }),
    })
    const { argv, stdin, code, signal, file: answer, cwd, stdout } = turn
    // A dot is a sign of life of a machine that is slow.
    const stderr = turn.stderr.replace(/^\.+/, '')
    const version = folder.split('-').at(-1)
    const exit = { code, signal }
    const facts = { agent: adapter.id, version, case: name, argv, stdin, exit, files: readdirSync(cwd), answer, stderr }
    const redact = (content: string): string =>
      content
        .replaceAll(place, '{folder}')
        .replaceAll(resolve(import.meta.dirname, '../..'), '{looper}')
        .replaceAll(process.execPath, '{node}')
    await expect(redact(stdout)).toMatchFileSnapshot(`${recordingPath(folder, name)}.jsonl`)
    await expect(`${redact(JSON.stringify(facts, null, 2))}\n`).toMatchFileSnapshot(
      `${recordingPath(folder, name)}.json`,
    )
  })
})
