/**
 * Selects the commands that install the dependencies of a fresh work tree. The lock file determines which command runs,
 * and when it runs again.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { readNow } from '../platform/files.ts'
import type { PackageFiles } from './package-files.ts'

/** In order of preference when a project has several lock files of one ecosystem. */
const commands: [lockFile: string, ecosystem: 'node' | 'python', command: (root: string) => string][] = [
  ['pnpm-lock.yaml', 'node', () => 'pnpm install --frozen-lockfile'],
  ['bun.lock', 'node', () => 'bun install --frozen-lockfile'],
  ['bun.lockb', 'node', () => 'bun install --frozen-lockfile'],
  [
    'yarn.lock',
    'node',
    (root) => `yarn install ${existsSync(join(root, '.yarnrc.yml')) ? '--immutable' : '--frozen-lockfile'}`,
  ],
  ['package-lock.json', 'node', () => 'npm ci'],
  ['npm-shrinkwrap.json', 'node', () => 'npm ci'],
  ['uv.lock', 'python', () => 'uv sync --frozen'],
  ['poetry.lock', 'python', () => 'poetry install'],
]

/** At most one command per ecosystem; none without a lock file at the root. */
export function discoverSetup(root: string): string[] {
  const found = new Map<string, string>()
  for (const [lockFile, ecosystem, command] of commands) {
    if (!found.has(ecosystem) && existsSync(join(root, lockFile))) found.set(ecosystem, command(root))
  }
  return [...found.values()]
}

/** Equal keys mean that running set-up again would change nothing. */
export function setupKey(root: string, setup: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(setup))
  if (setup.length > 0) {
    for (const [lockFile] of commands) hash.update(`\0${lockFile}\0`).update(readNow(join(root, lockFile)) ?? '')
  }
  return hash.digest('hex')
}

const pathWord = /[\w@%+:,./-]+/g

export const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..')

/** Like `setupKey`, over all files that the commands are known to read: `files`, and files that the commands name. */
export function setupInputsKey(root: string, files: PackageFiles, setup: readonly string[]): string {
  const named = setup.flatMap((line) => line.match(pathWord) ?? []).filter(isInside)
  const hash = createHash('sha256').update(setupKey(root, setup))
  if (setup.length > 0) {
    hash.update(JSON.stringify([...files]))
    for (const file of new Set(named)) hash.update(`\0${file}\0`).update(readFileOf(root, file) ?? '')
  }
  return hash.digest('hex')
}

/** Null when the path is a folder, a link, or does not exist. */
export function readFileOf(root: string, file: string): Buffer | null {
  const path = join(root, file)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readNow(path) : null
}
