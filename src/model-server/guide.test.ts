/** The guide's example runs as it is written. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('the example in docs/guides/scripted-model.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-guide-'))
  try {
    const library = join(folder, 'testing.mjs')
    await build({ input: join(root, 'src/testing.ts'), platform: 'node', output: { file: library, format: 'esm' }, logLevel: 'silent' })
    const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/guides/scripted-model.md'), 'utf8'))?.[1] ?? ''
    expect(example).toContain("from 'looper/testing'")
    writeFileSync(join(folder, 'example.mjs'), example.replace("'looper/testing'", JSON.stringify(pathToFileURL(library).href)))
    execFileSync(process.execPath, [join(folder, 'example.mjs')], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
