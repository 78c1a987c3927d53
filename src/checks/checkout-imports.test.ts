import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkoutImports } from './checkout-imports.ts'

let top: string
let root: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'looper-imports-')))
  root = join(top, 'my project')
  put('my project/pyproject.toml', '')
  put('my project/package.json', '{}')
  put('my project/src/tool/__init__.py', '')
  put('other/src/x', '')
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), text)
  return join(top, path)
}

const found = (env: Record<string, string> = {}): string[] =>
  checkoutImports({ root, home: join(top, 'home'), env: { PATH: `/nowhere/bin:${join(top, 'venv/bin')}`, ...env } })

const site = 'venv/lib/python3.12/site-packages'

test('none on an ordinary machine', () => {
  put(`${site}/distutils-precedence.pth`, 'import os; os.environ\n')
  put(`${site}/other.pth`, `${join(top, 'other/src')}\n`)
  put(`${site}/tool-1.0.dist-info/direct_url.json`, JSON.stringify({ url: `file://${root}`, dir_info: {} }))
  put('venv/lib/node_modules/npm/package.json', '{}')
  expect(found({ PYTHONPATH: join(top, 'other') })).toEqual([])
})

test('an editable installation of the checkout, in an environment on the PATH or in the home folder', () => {
  const paths = [
    put(`${site}/__editable__.tool-1.0.pth`, `${join(root, 'src')}\n`),
    put(
      'home/.local/lib/python3.11/site-packages/tool-1.0.dist-info/direct_url.json',
      JSON.stringify({ dir_info: { editable: true }, url: `file://${root.replace(' ', '%20')}` }),
    ),
  ]
  expect(found()).toEqual(paths)
})

test('a package that `npm link` made global, and variables', () => {
  mkdirSync(join(top, 'venv/lib/node_modules/@me'), { recursive: true })
  symlinkSync(root, join(top, 'venv/lib/node_modules/@me/tool'))
  expect(found({ PYTHONPATH: `/usr/lib:${join(root, 'src')}`, NODE_PATH: '' })).toEqual([
    join(top, 'venv/lib/node_modules/@me/tool'),
    'PYTHONPATH',
  ])
})

test("a package manager that is not the project's is not asked", () => {
  put(`${site}/tool.pth`, root)
  rmSync(join(root, 'pyproject.toml'))
  expect(found()).toEqual([])
})
