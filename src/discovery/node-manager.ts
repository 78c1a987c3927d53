/** The package manager of a Node project: how it installs and how it runs a script. */
import type { Manifest } from './node-manifest.ts'

/** `berry` is yarn from version 2 on. */
export type Manager = 'npm' | 'pnpm' | 'yarn' | 'berry' | 'bun'

const lockFiles: readonly [file: string, manager: Manager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

/** The manager that package.json declares, else the one whose lock file is tracked. */
export function managerOf(files: ReadonlySet<string>, { packageManager }: Manifest): Manager {
  const [, declared, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(packageManager ?? '') ?? []
  const manager =
    lockFiles.find(([, known]) => known === declared)?.[1]
    ?? lockFiles.find(([file]) => files.has(file))?.[1]
    ?? (files.has('pnpm-workspace.yaml') ? 'pnpm' : 'npm')
  return manager === 'yarn' && (Number(major) > 1 || files.has('.yarnrc.yml')) ? 'berry' : manager
}

/** Without a lock file, the newest versions that package.json accepts are installed, and no lock file is written. */
export function setupLine(files: ReadonlySet<string>, manifest: Manifest, manager: Manager): string[] {
  const isLocked = lockFiles.some(([file, by]) => by === programOf(manager) && files.has(file))
  if (isLocked) return [lockedLines[manager]]
  return manifest.dependencies.size === 0 && manifest.workspaces.length === 0 ? [] : [unlockedLines[manager]]
}

const programOf = (manager: Manager): string => (manager === 'berry' ? 'yarn' : manager)

const lockedLines: Record<Manager, string> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install --frozen-lockfile',
  berry: 'yarn install --immutable',
  bun: 'bun install --frozen-lockfile',
}

const unlockedLines: Record<Manager, string> = {
  npm: 'npm install --no-package-lock',
  pnpm: 'pnpm install --no-lockfile',
  yarn: 'yarn install --no-lockfile',
  berry: 'yarn install --no-immutable',
  bun: 'bun install --no-save',
}

/** `bun test` would start bun's own test runner instead of the script. */
export const runLine = (manager: Manager, script: string): string =>
  script === 'test' && manager !== 'bun' ? `${programOf(manager)} test` : `${programOf(manager)} run ${script}`

/** Runs the tests of one workspace, by the name of its package. */
export const workspaceLine: Record<Manager, (name: string) => string> = {
  npm: (name) => `npm test --workspace ${name}`,
  pnpm: (name) => `pnpm --filter ${name} test`,
  yarn: (name) => `yarn workspace ${name} test`,
  berry: (name) => `yarn workspace ${name} test`,
  bun: (name) => `bun run --filter ${name} test`,
}

/** Runs the tests of every workspace that has some; null: the manager cannot leave the others out. */
export const everyWorkspaceLine: Record<Manager, string | null> = {
  npm: 'npm test --workspaces --if-present',
  pnpm: 'pnpm --recursive --if-present test',
  yarn: null,
  berry: 'yarn workspaces foreach --all run test',
  bun: "bun run --filter '*' test",
}
