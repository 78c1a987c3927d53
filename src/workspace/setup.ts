/** How a fresh work tree gets its dependencies: told by the lock file, which also tells when to do it again. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readNow } from '../platform/files.ts'

/** In order of preference where a project has several of one kind. */
const commands: [lockFile: string, ecosystem: 'node' | 'python', command: (root: string) => string][] = [
  ['pnpm-lock.yaml', 'node', () => 'pnpm install --frozen-lockfile'],
  ['bun.lock', 'node', () => 'bun install --frozen-lockfile'],
  ['bun.lockb', 'node', () => 'bun install --frozen-lockfile'],
  ['yarn.lock', 'node', (root) => `yarn install ${existsSync(join(root, '.yarnrc.yml')) ? '--immutable' : '--frozen-lockfile'}`],
  ['package-lock.json', 'node', () => 'npm ci'],
  ['npm-shrinkwrap.json', 'node', () => 'npm ci'],
  ['uv.lock', 'python', () => 'uv sync --frozen'],
  ['poetry.lock', 'python', () => 'poetry install'],
]

/** At most one command for each ecosystem; none where no lock file is at the root. */
export function discoverSetup(root: string): string[] {
  const found = new Map<string, string>()
  for (const [lockFile, ecosystem, command] of commands) {
    if (!found.has(ecosystem) && existsSync(join(root, lockFile))) found.set(ecosystem, command(root))
  }
  return [...found.values()]
}

/** Equal keys mean that setting up again would bring nothing new. */
export function setupKey(root: string, setup: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(setup))
  if (setup.length > 0) {
    for (const [lockFile] of commands) hash.update(`\0${lockFile}\0`).update(readNow(join(root, lockFile)) ?? '')
  }
  return hash.digest('hex')
}
