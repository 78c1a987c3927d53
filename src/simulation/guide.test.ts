/** Verifies the guide: its examples run as written against the built package, and it names every law and export. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkers } from './checkers/index.ts'

const root = resolve(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')
const examples = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')
const folder = mkdtempSync(join(tmpdir(), 'looper-guide-'))

/** A project with Looper as a dependency. */
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/looper'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(code: string): string {
  const file = join(folder, 'example.mjs')
  writeFileSync(file, code)
  return execFileSync(process.execPath, [file], { cwd: folder, stdio: 'pipe', encoding: 'utf8' })
}

test.each(examples.map((code, position) => [position + 1, code] as const))(
  'example %i of docs/guides/testing.md',
  (_nth, code) => {
    expect(code).toContain("from 'looper/testing'")
    expect(code).toContain('assert.')
    run(code)
  },
)

test('the guide has the examples that it had', () => {
  expect(examples).toHaveLength(3)
})

test('the guide, or that of the scripted model, names everything that is exported', () => {
  const others = readFileSync(join(root, 'docs/guides/scripted-model.md'), 'utf8')
  const names = run("console.log(Object.keys(await import('looper/testing')).join(' '))").trim().split(' ')
  expect(names).toContain('simulate')
  expect(names.filter((name) => !guide.includes(`\`${name}`) && !others.includes(name))).toEqual([])
})

test('the guide names every law', () => {
  const laws = guide.slice(guide.indexOf('## Laws'), guide.indexOf('Exceptions:'))
  const named = [...laws.matchAll(/^- `([\w-]+)`: /gm)].map(([, law]) => law)
  expect(new Set(named)).toEqual(new Set(checkers.map(({ law }) => law)))
})
