import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeRepository, temporaryFolder, useGitConfig, type Repository } from '../../../test/kit/repository.ts'
import { parseJsonc } from '../../platform/jsonc.ts'
import type { AppContext } from '../context.ts'
import { doctor } from './doctor.ts'
import { init } from './init.ts'

let repository: Repository
let context: AppContext
beforeEach(() => {
  useGitConfig()
  repository = makeRepository()
  const home = temporaryFolder()
  context = {
    cwd: repository.root,
    env: { PATH: join(repository.root, 'bin') },
    home,
    packageFolder: resolve(import.meta.dirname, '../../..'),
    version: '1.2.3',
  }
})

const written = (): Record<string, unknown> =>
  parseJsonc(repository.read('.looper/config.json')) as Record<string, unknown>
const install = (name: string): void => {
  repository.write(`bin/${name}`, '#!/bin/sh\n')
  chmodSync(join(repository.root, 'bin', name), 0o755)
}

test('an installed agent is used as it is, without a placeholder', async () => {
  install('codex')
  const { created, notes } = await init(context)
  expect(created).toBe(true)
  expect(notes).toContain('agent: codex (the installed one)')
  expect(written()).toMatchObject({ workspace: { mode: 'worktree' } })
  expect(written()).not.toHaveProperty('agents')
  expect(repository.read('.looper/config.json')).not.toContain('//')
  expect((await doctor(context, { repair: false })).filter(({ check }) => check.startsWith('agent'))).toMatchObject([
    { ok: true },
    { check: 'agent codex' },
  ])
})

test('without one a command names the agent, and the file has no entry that an agent installed later must replace', async () => {
  const named = `agent: none found; name yours: looper config set agents.mine.command '["my-agent"]'`
  expect((await init(context)).notes).toContain(named)
  expect(repository.read('.looper/config.json')).not.toMatch(/agent/)
  install('gemini')
  expect(await doctor(context, { repair: false })).toContainEqual({
    check: 'agent',
    ok: true,
    detail: 'gemini (the installed one)',
    hint: null,
  })
})

test('D6: editors find the schema beside the file, and get the newest', async () => {
  await init(context)
  expect(written()).toMatchObject({ $schema: './config.schema.json' })
  const shipped = readFileSync(join(context.packageFolder, 'schemas/config.schema.json'), 'utf8')
  expect(repository.read('.looper/config.schema.json')).toBe(shipped)
  repository.write('.looper/config.schema.json', 'of an older Looper')
  await init(context)
  expect(repository.read('.looper/config.schema.json')).toBe(shipped)
  repository.git('add', '.')
  expect(repository.git('diff', '--cached', '--name-only')).toBe('.looper/config.json\n.looper/config.schema.json')
})

test('an existing file is left alone', async () => {
  repository.write('.looper/config.json', '{ "parallel": 2 }')
  expect(await init(context)).toMatchObject({ created: false, notes: ['it is valid'] })
  expect(written()).toEqual({ parallel: 2 })
  expect(existsSync(join(repository.root, '.looper/config.schema.json'))).toBe(false)
})

test('only discovered values are written, so that the others are discovered later', async () => {
  await init(context)
  expect(written()).toMatchObject({ workspace: { mode: 'worktree' } })
  expect(written()).not.toHaveProperty('checks')
  expect(written()).not.toHaveProperty('workspace.setup')
  const other = makeRepository()
  other.write('package.json', '{ "scripts": { "test": "node --test" } }')
  other.write('package-lock.json', '{}')
  expect((await init({ ...context, cwd: other.root })).notes).toContain('set-up of each workspace: npm ci')
  expect(parseJsonc(other.read('.looper/config.json'))).toMatchObject({
    workspace: { setup: ['npm ci'] },
    checks: [{ name: 'test', run: 'npm test' }],
  })
})

test('type checks and lints are proposed as comments, and count without the slashes', async () => {
  const scripts = { test: 'node --test', lint: 'oxlint', typecheck: 'tsc' }
  repository.write('package.json', JSON.stringify({ scripts }))
  expect((await init(context)).notes).toContain(
    'also found, off until you uncomment it: npm run typecheck, npm run lint',
  )
  expect(written()).toMatchObject({ checks: [{ name: 'test', run: 'npm test' }] })
  const path = '.looper/config.json'
  repository.write(path, repository.read(path).replaceAll('    // ', '    '))
  expect(written()).toMatchObject({ checks: [{ name: 'typecheck' }, { name: 'lint' }, { name: 'test' }] })
})

test('a lock file that git ignores is not set up', async () => {
  repository.write('.gitignore', 'package-lock.json\n')
  repository.write('package.json', '{ "scripts": { "test": "node --test" } }')
  repository.write('package-lock.json', '{}')
  await init(context)
  expect(written()).not.toHaveProperty('workspace.setup')
})
