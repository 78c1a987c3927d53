/** The guide's example runs as written, against the built package. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('the example in docs/guides/scripted-model.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/looper'))
  const example =
    /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/guides/scripted-model.md'), 'utf8'))?.[1] ?? ''
  expect(example).toContain("from 'looper/testing'")
  writeFileSync(join(folder, 'example.mjs'), example)
  execFileSync(process.execPath, [join(folder, 'example.mjs')], { cwd: folder, stdio: 'pipe' })
})
