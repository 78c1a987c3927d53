/**
 * The sandbox of one run: turns the command line of a turn, a check or a set-up command into one that runs confined.
 */
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bubblewrapArgv } from './bubblewrap.ts'
import {
  cachePaths,
  credentialPaths,
  droppedVariables,
  serviceExceptions,
  serviceFolders,
  sharedTemporary,
  type Cache,
} from './home-paths.ts'
import { objectStores } from './object-stores.ts'
import { cacheRules } from './cache-rules.ts'
import { expandPath, rulesFor } from './paths.ts'
import type { SandboxTool } from './probe.ts'
import { programPaths, startError } from './program-paths.ts'
import { orderRules, type Rule } from './rules.ts'
import { seatbeltArgv } from './seatbelt.ts'

export interface SandboxSetting {
  tool: SandboxTool
  home: string
  /** The user's environment. Some variables name the folders of caches and credentials. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's checkout. With `inPlace`, it is also the workspace. */
  checkout: string
  inPlace: boolean
  /** The git directories of the checkout. */
  git: { gitDir: string; commonDir: string }
  runDir: string
  /** Folders that contain workspaces. Only the paths that a request names are visible. */
  workspaces: readonly string[]
  /** Folders with the state of agents. Only the paths that a request names are visible. */
  hidden: readonly string[]
  /** Looper's own programs. */
  readable: readonly string[]
  /** The setting `sandboxAllow`. */
  allow: readonly string[]
}

export interface SandboxRequest {
  argv: readonly [string, ...string[]]
  /** The workspace, which is writable. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  writable?: readonly string[]
  /**
   * Further writable paths as the user writes them: `~` is the home folder, and relative paths start at the checkout.
   */
  allow?: readonly string[]
  readable?: readonly string[]
  /**
   * Words of a command line that the user wrote. The files that they name are readable even where they would be hidden.
   * Never pass words that an agent chose.
   */
  opened?: readonly string[]
  /** Read-only paths inside of writable ones. */
  protect?: readonly string[]
  /** The folder for temporary files. Default: `/tmp`, or the run's folder where the sandbox has no private `/tmp`. */
  tmp?: string
}

export interface Sandbox {
  /**
   * Returns the command line and environment that run confined. Throws ENOENT or EACCES when the program cannot be
   * started.
   */
  wrap(request: SandboxRequest): { argv: [string, ...string[]]; env: NodeJS.ProcessEnv }
}

export function createSandbox(setting: SandboxSetting): Sandbox {
  const scratch = join(setting.runDir, 'tmp')
  const { tool } = setting
  if (tool.kind === 'seatbelt') mkdirSync(scratch, { recursive: true, mode: 0o700 })
  const usualTmp = tool.kind === 'bubblewrap' ? '/tmp' : scratch
  return {
    wrap({ argv, cwd, env, ...more }) {
      const error = startError(argv[0], cwd, env['PATH'] ?? '')
      if (error !== null) throw error
      const { tmp = usualTmp } = more
      const rules = rulesOf(setting, { argv, cwd, env, ...more })
      const all = tmp === '/tmp' ? rules : [...rules, ...rulesFor([tmp], 'write')]
      // A private home folder has its own links to the caches.
      const missing = (env['HOME'] ?? setting.home) === setting.home ? missingCaches(setting) : []
      const confined = { argv, cwd: realpathSync.native(cwd), rules: orderRules(all), isRoot: process.getuid?.() === 0 }
      return {
        argv: tool.kind === 'seatbelt' ? seatbeltArgv(tool.path, confined) : bubblewrapArgv(tool.path, confined),
        env: environmentOf(env, tmp, missing),
      }
    },
  }
}

/**
 * Later rules win for the same path: a request overrides what is hidden by default, and protection overrides
 * everything.
 */
export function rulesOf(setting: SandboxSetting, request: SandboxRequest): Rule[] {
  const { home, checkout, inPlace, git, runDir } = setting
  const { cwd, env, opened = [] } = request
  const user = { path: home, env: setting.env }
  const kept = checkout === '/' ? [] : [checkout]
  const hidden = [...setting.workspaces, ...setting.hidden]
  const borrowed = objectStores(git.commonDir).slice(inPlace ? 1 : 0)
  const allow = [...setting.allow, ...(request.allow ?? [])].map((path) => expandPath(path, home, checkout))
  return [
    ...rulesFor([...sharedTemporary, ...serviceFolders], 'private'),
    ...rulesFor([...serviceExceptions, home], 'read'),
    ...cachePaths(user).flatMap(({ path }) => cacheRules(path, setting.workspaces)),
    ...rulesFor([...credentialPaths(user), ...hidden, ...(inPlace ? [] : kept)], 'hide'),
    ...rulesFor([...setting.readable, ...borrowed, ...(request.readable ?? [])], 'read'),
    ...rulesFor(programPaths(opened, env['PATH'] ?? '', [checkout, runDir, home, ...hidden]), 'read'),
    ...(inPlace ? ownCheckout(setting) : []),
    ...rulesFor([...allow, cwd, ...(request.writable ?? [])], 'write'),
    ...rulesFor(request.protect ?? [], 'read'),
  ]
}

/**
 * The agent commits like the user, but must not change hooks and git settings, because they take effect outside the
 * sandbox.
 */
function ownCheckout({ checkout, git: { gitDir, commonDir }, runDir }: SandboxSetting): Rule[] {
  const looper = join(checkout, '.looper')
  const names = ['config', 'config.worktree', 'hooks']
  const settings = [commonDir, gitDir].flatMap((folder) => names.map((name) => join(folder, name)))
  return [
    ...rulesFor([commonDir, gitDir], 'write'),
    ...rulesFor([...settings, looper], 'read'),
    ...rulesFor([join(looper, 'worktrees'), dirname(runDir)], 'hide'),
  ]
}

const missingCaches = ({ home, env }: SandboxSetting): Cache[] =>
  cachePaths({ path: home, env }).filter(({ path, variable }) => variable !== undefined && !existsSync(path))

function environmentOf(env: SandboxRequest['env'], tmp: string, missing: readonly Cache[]): NodeJS.ProcessEnv {
  const dropped = new Set([...droppedVariables, 'TEMP', 'TMP'])
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.has(name)))
  const elsewhere = missing.map(({ path, variable }) => [variable, join(tmp, basename(path))] as const)
  return { ...Object.fromEntries(elsewhere), ...kept, TMPDIR: tmp }
}
