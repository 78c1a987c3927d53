/** Checks whether this machine can confine programs, by confining one. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { bootId } from '../process-identity.ts'
import { bubblewrapArgv } from './bubblewrap.ts'
import { seatbeltArgv } from './seatbelt.ts'

export interface SandboxTool {
  kind: 'bubblewrap' | 'seatbelt'
  path: string
}

export type SandboxProbe =
  | { ok: true; tool: SandboxTool }
  /** The hint is an imperative sentence. */
  | { ok: false; why: string; hint: string }

/** Names the bwrap program to use instead of the one on the PATH. */
export const toolVariable = 'LOOPER_BWRAP'

export interface ProbeRequest {
  env: Readonly<Record<string, string | undefined>>
  /** The folder that caches success until the next boot, because every run probes. Absent: nothing is cached. */
  cacheFolder?: string
  platform?: NodeJS.Platform
}

export function probeSandbox({ env, cacheFolder, platform = process.platform }: ProbeRequest): SandboxProbe {
  if (platform === 'darwin') return tryTool({ kind: 'seatbelt', path: '/usr/bin/sandbox-exec' })
  if (platform !== 'linux')
    return { ok: false, why: `there is no sandbox for ${platform}`, hint: 'Set "sandbox" to "off".' }
  const path = env[toolVariable] || findOnPath('bwrap', env['PATH'] ?? '')
  if (path === null) return { ok: false, why: 'bubblewrap is not installed', hint: installHint }
  const tool: SandboxTool = { kind: 'bubblewrap', path }
  const file = cacheFolder === undefined ? null : join(cacheFolder, 'sandbox.json')
  const key = keyOf(path)
  if (file !== null && remembered(file) === key) return { ok: true, tool }
  const probe = tryTool(tool)
  if (probe.ok && file !== null) remember(file, key)
  return probe
}

const installHint = 'Install bubblewrap (the package "bubblewrap" of your distribution), or set "sandbox" to "off".'
const allowHint =
  'Allow user namespaces for bwrap (sysctl kernel.unprivileged_userns_clone, AppArmor), or set "sandbox" to "off".'
const guardMs = 20_000

/** Runs a command that does nothing with the same sandbox features that a turn needs. */
function tryTool(tool: SandboxTool): SandboxProbe {
  const argvOf = tool.kind === 'seatbelt' ? seatbeltArgv : bubblewrapArgv
  const isRoot = process.getuid?.() === 0
  const rules = tool.kind === 'seatbelt' ? [] : [{ path: '/tmp', access: 'private', kind: 'folder' } as const]
  const [program, ...args] = argvOf(tool.path, { argv: ['true'], cwd: '/', rules, isRoot })
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: guardMs,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status === 0) return { ok: true, tool }
  const said = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  const why = `${tool.path} does not work here: ${said.slice(0, 200)}`
  return { ok: false, why, hint: error ? installHint : allowHint }
}

function findOnPath(name: string, path: string): string | null {
  const isProgram = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'))
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

/** The cache key: another program, user or boot requires a new probe. */
const keyOf = (path: string): string =>
  [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs, process.getuid?.(), bootId()].join(' ')

function remembered(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { key?: string }).key ?? null
  } catch {
    return null
  }
}

function remember(file: string, key: string): void {
  try {
    makeFolder(dirname(file))
    writeFileSync(file, JSON.stringify({ key }))
  } catch {
    // Without a cache folder, every run probes.
  }
}
