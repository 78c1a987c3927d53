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
  /** The user's environment: some variables say where caches and credentials are. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's checkout. In place it is the workspace. */
  checkout: string
  inPlace: boolean
  /** Of the checkout. */
  git: { gitDir: string; commonDir: string }
  runDir: string
  /** Folders that hold workspaces: only what a request names of them can be seen. */
  workspaces: readonly string[]
  /** The state of agents: the same. */
  hidden: readonly string[]
  /** Looper's own programs. */
  readable: readonly string[]
  /** `sandboxAllow`. */
  allow: readonly string[]
}

export interface SandboxRequest {
  argv: readonly [string, ...string[]]
  /** The workspace: writable. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  writable?: readonly string[]
  /** The same, as people write paths: `~` is the home folder, and relative ones start at the checkout. */
  allow?: readonly string[]
  readable?: readonly string[]
  /**
   * Words of a command line that the user wrote: files that they name can be read even where they are hidden. Words
   * that an agent chose must not be among them.
   */
  opened?: readonly string[]
  /** Read-only inside of what is writable. */
  protect?: readonly string[]
  /** For temporary files. When absent: `/tmp`, or the run's folder where the sandbox has no `/tmp` of its own. */
  tmp?: string
}

export interface Sandbox {
  /** The command line and environment to start instead. Throws ENOENT or EACCES where the program cannot be started. */
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
      // A home folder of its own has its own ways to caches.
      const missing = (env['HOME'] ?? setting.home) === setting.home ? missingCaches(setting) : []
      const confined = { argv, cwd: realpathSync.native(cwd), rules: orderRules(all), isRoot: process.getuid?.() === 0 }
      return {
        argv: tool.kind === 'seatbelt' ? seatbeltArgv(tool.path, confined) : bubblewrapArgv(tool.path, confined),
        env: environmentOf(env, tmp, missing),
      }
    },
  }
}

/** Later rules count for the same path: what a request names beats what is hidden by default, protection beats all. */
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

/** The agent commits as the user does, but hooks and settings of git would take effect outside the sandbox. */
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
