/** Discovers the set-up and checks of a checkout from the files that git tracks and the programs of this machine. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toolEnvironment } from '../../agents/environment.ts'
import type { Discovery } from '../../discovery/project.ts'
import { runProcess } from '../../platform/run-process.ts'
import { tryGit } from '../../workspace/git/git.ts'
import { trackedFiles } from '../../workspace/index/tracked-files.ts'
import { findProgram } from './locate-agent.ts'

/** Runs at most once, when the first caller needs it. Never rejects. */
export type Discover = () => Promise<Discovery>

/** `untracked`: files that git neither tracks nor ignores count too, because they are about to be committed. */
export function discoverIn(root: string, env: NodeJS.ProcessEnv, { untracked = false } = {}): Discover {
  let found: Promise<Discovery> | null = null
  return () => (found ??= discover(root, env, untracked ? ['--others', '--exclude-standard'] : []))
}

async function discover(root: string, env: NodeJS.ProcessEnv, options: readonly string[]): Promise<Discovery> {
  const [{ discoverProject }, files] = await Promise.all([
    import('../../discovery/discover.ts'),
    filesOf(root, options),
  ])
  const path = env['PATH'] ?? ''
  return discoverProject({
    files,
    read: (name) => readFile(join(root, name), 'utf8').catch(() => null),
    hasProgram: async (name) => (await findProgram(name, { root, path })) !== null,
    hasModule: (name) => hasModule(name, root, env),
  })
}

/** A file that git does not track is in no workspace. */
async function filesOf(root: string, options: readonly string[]): Promise<Set<string>> {
  const known = options.length === 0 ? trackedFiles(root) : null
  if (known !== null) return new Set(known)
  const { exitCode, stdout } = await tryGit(['ls-files', '-z', '--cached', ...options], { cwd: root })
  // Outside a repository, the files of the folder itself count.
  return new Set(
    exitCode === 0 ? stdout.split('\0').filter((path) => path !== '') : await readdir(root).catch(() => []),
  )
}

const finding = 'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)'

/** With the environment that checks get: the user's variables may lead to another Python. */
async function hasModule(name: string, root: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const result = await runProcess({
    argv: ['python3', '-c', finding, name],
    cwd: root,
    env: toolEnvironment(env, {}),
    timeoutMs: 20_000,
  }).catch(() => null)
  return result?.exitCode === 0
}
