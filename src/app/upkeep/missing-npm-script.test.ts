import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missingNpmScript } from './missing-npm-script.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-npm-'))
  writeFileSync(join(root, 'package.json'), '{ "scripts": { "lint": "eslint ." } }')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['npm test', 'test'],
  ['npm run test:unit', 'test:unit'],
  ['pnpm run build', 'build'],
  ['npm run lint', null],
  ['npm run lint -- --fix', null],
  // Another package, another command, or a script that the shell may find elsewhere.
  ['npm test -w packages/a', null],
  ['npm --prefix web test', null],
  ['cd web && npm test', null],
  ['npx vitest', null],
  ['yarn test', null],
])('%s: %s', async (line, script) => expect(await missingNpmScript(line, root)).toBe(script))

test('without a package.json nothing is certain', async () => {
  expect(await missingNpmScript('npm test', join(root, 'nowhere'))).toBeNull()
})
