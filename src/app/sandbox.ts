/** Decides whether a run is confined, and makes its sandbox. */
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { knownStates } from '../agents/registry.ts'
import type { Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { expandPath } from '../platform/sandbox/paths.ts'
import { probeSandbox, type SandboxProbe } from '../platform/sandbox/probe.ts'
import { createSandbox, type Sandbox } from '../platform/sandbox/sandbox.ts'
import { gitDirsOf } from '../workspace/worktree-link.ts'
import type { Context } from './context.ts'

/** The folder of Looper's caches: workspaces lie there as well. */
export const cacheFolder = ({ env, home }: Pick<Context, 'env' | 'home'>): string =>
  join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'looper')

export const sandboxHere = (context: Context): SandboxProbe =>
  probeSandbox({ env: context.env, cacheFolder: cacheFolder(context) })

/** Throws ENVIRONMENT_NO_SANDBOX when one is asked for and cannot be had; without a wish it is used where it works. */
export function chooseSandbox(wanted: Config['sandbox'], context: Context): 'off' | 'os' {
  if (wanted === 'off') return 'off'
  const found = sandboxHere(context)
  if (found.ok) return 'os'
  if (wanted === 'os') throw refusal(found)
  return 'off'
}

const refusal = ({ why, hint }: Exclude<SandboxProbe, { ok: true }>): LooperError =>
  new LooperError('ENVIRONMENT_NO_SANDBOX', `"sandbox" is "os", but ${why}.`, { hint })

/** Mount points cannot be made where there is nothing, so a path has to exist before the run. Says which do not. */
export function missingAllowed(config: Config, { home }: Context, root: string): string[] {
  const { sandbox, sandboxAllow = [], agents } = config
  if (sandbox === 'off') return []
  const named = [
    ...sandboxAllow.map((path) => ({ key: 'sandboxAllow', path })),
    ...Object.entries(agents).flatMap(([name, agent]) =>
      (agent.sandboxAllow ?? []).map((path) => ({ key: `agents.${name}.sandboxAllow`, path })),
    ),
  ]
  return named
    .filter(({ path }) => !existsSync(expandPath(path, home, root)))
    .map(
      ({ key, path }) => `"${key}" names ${path}, which does not exist: create it before the run, or correct the path`,
    )
}

export interface SandboxOptions {
  root: string
  runDir: string
  config: Pick<Config, 'sandbox' | 'workspace'>
  allow: readonly string[]
}

/** Null when the run began without one. Throws when this machine has none any more. */
export function openSandbox(context: Context, { root, runDir, config, allow }: SandboxOptions): Sandbox | null {
  if (config.sandbox !== 'os') return null
  const found = sandboxHere(context)
  if (!found.ok) throw refusal(found)
  const { env, home, packageFolder } = context
  const states = knownStates({ home, env })
  return createSandbox({
    tool: found.tool,
    home,
    env,
    checkout: root,
    inPlace: config.workspace.mode === 'in-place',
    git: gitDirsOf(root),
    runDir,
    allow,
    workspaces: [
      cacheFolder(context),
      ...(config.workspace.folder ? [expandPath(config.workspace.folder, home, root)] : []),
    ],
    hidden: [...states.writable, ...states.files],
    readable: [packageFolder],
  })
}
