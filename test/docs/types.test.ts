/** The library is shipped with its types. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

function problemsIn(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'looper-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/looper'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'use.ts'), source)
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return String((error as { stdout: unknown }).stdout)
  }
}

test('of the library and of looper/testing', () => {
  expect(
    problemsIn(`import { createModelServer, simulate, type Step } from 'looper/testing'
import { createApp, decide, localMachine, LooperError, type App, type Observer } from 'looper'
export const step: Step = { text: 'x' }
export const all = [createModelServer, simulate, decide, LooperError]
export const app: App = createApp({ ...localMachine(), version: '1.0.0' })
const read = async (run: Parameters<Observer['onStart']>[0]): Promise<void> => {
  for await (const { event, state } of run.follow()) console.log(event.seq, state.status)
}
export const observer: Observer = { onTorn() {}, onTrouble: console.error, onStart: (run) => void read(run) }
`),
  ).toBe('')
  expect(
    problemsIn(`import type { Step } from 'looper/testing'
export const step: Step = { text: 5 }
`),
  ).toContain('not assignable')
})
