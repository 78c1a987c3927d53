/** A repository with a remote that is ready to be released. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect } from 'vitest'
import type { ReleaseRequest, ReleaseResult, ReleaseView } from '../../src/api/release.ts'
import type { AppContext } from '../../src/app/context.ts'
import { prepareRelease } from '../../src/app/release/release.ts'
import type { LooperError } from '../../src/model/error.ts'
import { makeRepository, openRepository, temporaryFolder, type Repository } from './repository.ts'

export const today = '2026-01-31'
export const usual: ReleaseRequest = { version: null, remote: null, push: true, release: false, changelog: false }

export let repository: Repository
export let remote: string
export let bin: string
export let context: AppContext

let changes = 0
export function commit(subject: string): string {
  repository.write('a.txt', `change ${++changes}\n`)
  return repository.commit(subject)
}

export const plan = async (request: Partial<ReleaseRequest> = {}): Promise<ReleaseView> =>
  (await prepareRelease(context, { ...usual, ...request }, today)).view
export const push = async (
  request: Partial<ReleaseRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ReleaseResult> => {
  const seen: string[] = []
  return (await prepareRelease(context, { ...usual, ...request }, today)).run(
    { onStep: (step, done) => void (done && seen.push(step)), onCheck: () => {} },
    signal,
  )
}
export const failure = async (request: Partial<ReleaseRequest> = {}): Promise<LooperError> =>
  push(request).then(
    () => {
      throw new Error('it did not fail')
    },
    (error: LooperError) => error,
  )
export const hook = (name: string, body: string, where = join(repository.root, '.git/hooks')): void =>
  program(join(where, name), body)
export const program = (path: string, body: string): void => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}
export const far = (): Repository => openRepository(remote)
export const inState = (): boolean => existsSync(join(repository.root, '.looper/release.json'))
export const todo = ({ steps }: ReleaseView): string[] => steps.filter(({ done }) => !done).map(({ step }) => step)

/** Everything that must be true after a release, once. */
export function expectReleased(version = '1.0.1', subjects = '- Add a flag\n- Fix the list'): void {
  expect(JSON.parse(repository.read('package.json'))).toMatchObject({ version })
  expect(JSON.parse(repository.read('package-lock.json'))).toEqual({ version, packages: { '': { version } } })
  expect(repository.read('CHANGELOG.md')).toBe(
    `# Changelog\n\n## Unreleased\n\n## ${version} - ${today}\n\n${subjects}\n\n## 1.0.0 - 2025-01-01\n\n- First.\n`,
  )
  expect(repository.git('log', '--format=%s', '--grep=^Release', 'HEAD')).toBe(`Release v${version}`)
  expect(repository.git('rev-parse', `v${version}^{commit}`)).toBe(repository.git('rev-parse', 'HEAD'))
  expect(repository.git('cat-file', '-t', `v${version}`)).toBe('tag')
  expect(far().git('rev-parse', 'main')).toBe(repository.git('rev-parse', 'HEAD'))
  expect(far().git('rev-parse', `v${version}`)).toBe(repository.git('rev-parse', `v${version}`))
  expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('')
  expect(inState()).toBe(false)
}

/** Call it once in each test file. */
export function useRelease(): void {
  beforeEach(() => {
    repository = makeRepository({
      'package.json': '{\n  "name": "x",\n  "version": "1.0.0"\n}\n',
      'package-lock.json': '{\n  "version": "1.0.0",\n  "packages": { "": { "version": "1.0.0" } }\n}\n',
      'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2025-01-01\n\n- First.\n',
      '.looper/config.json': '{ "checks": ["test ! -e broken"] }\n',
    })
    remote = join(temporaryFolder(), 'remote.git')
    bin = temporaryFolder()
    repository.git('init', '--quiet', '--bare', remote)
    repository.git('remote', 'add', 'origin', remote)
    repository.git('tag', '-a', '-m', 'v1.0.0', 'v1.0.0')
    repository.git('push', '--quiet', '--set-upstream', 'origin', 'main', 'v1.0.0')
    commit('Add a flag')
    commit('Fix the list')
    context = {
      cwd: repository.root,
      env: { ...process.env, LOOPER_INSIDE: '', PATH: `${bin}:${process.env['PATH']}` },
      home: temporaryFolder(),
      packageFolder: '/nowhere',
      version: '1.2.3',
    }
  })
}
