/** The guide's example runs as it is written. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { build } from 'rolldown'
import { checkers } from './checkers/index.ts'

const root = resolve(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8')

test('the example in docs/guides/testing.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-guide-'))
  try {
    const library = join(folder, 'testing.mjs')
    await build({ input: join(root, 'src/testing.ts'), platform: 'node', output: { file: library, format: 'esm' }, logLevel: 'silent' })
    const example = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    expect(example).toContain("from 'looper/testing'")
    writeFileSync(join(folder, 'example.mjs'), example.replace("'looper/testing'", JSON.stringify(pathToFileURL(library).href)))
    execFileSync(process.execPath, [join(folder, 'example.mjs')], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the guide names every law', () => {
  const named = [...guide.matchAll(/^\| ([\w-]+) \| /gm)].map(([, law]) => law).filter((law) => law !== 'law')
  expect(new Set(named)).toEqual(new Set(checkers.map(({ law }) => law)))
})
