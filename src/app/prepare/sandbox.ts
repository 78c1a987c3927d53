/** Decides whether a run is sandboxed, and creates its sandbox. */
import { existsSync } from 'node:fs'
import { knownStates } from '../../agents/registry.ts'
import type { Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { cacheFolder } from '../../platform/cache-folder.ts'
import { expandPath } from '../../platform/sandbox/paths.ts'
import { probeSandbox, type SandboxProbe } from '../../platform/sandbox/probe.ts'
import { createSandbox, type Sandbox } from '../../platform/sandbox/sandbox.ts'
import { gitDirsOf } from '../../workspace/clones/worktree-link.ts'
import type { AppContext } from '../context.ts'

export const sandboxHere = (context: AppContext): SandboxProbe =>
  probeSandbox({ env: context.env, cacheFolder: cacheFolder(context.env, context.home) })

/**
 * Throws ENVIRONMENT_NO_SANDBOX when the configuration requires a sandbox and none works. Without a setting, a sandbox
 * is used when it works.
 */
export function chooseSandbox(wanted: Config['sandbox'], context: AppContext): 'off' | 'os' {
  if (wanted === 'off') return 'off'
  const found = sandboxHere(context)
  if (found.ok) return 'os'
  if (wanted === 'os') throw refusal(found)
  return 'off'
}

const refusal = ({ why, hint }: Exclude<SandboxProbe, { ok: true }>): LooperError =>
  new LooperError('ENVIRONMENT_NO_SANDBOX', `"sandbox" is "os", but ${why}.`, { hint })

/** Lists allowed paths that do not exist: a mount point needs an existing path, so they must exist before the run. */
export function missingAllowed(config: Config, { home }: AppContext, root: string): string[] {
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

/** Null when the run started without a sandbox. Throws when none works on this machine any more. */
export function openSandbox(context: AppContext, { root, runDir, config, allow }: SandboxOptions): Sandbox | null {
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
      cacheFolder(context.env, context.home),
      ...(config.workspace.folder ? [expandPath(config.workspace.folder, home, root)] : []),
    ],
    hidden: [...states.writable, ...states.files],
    readable: [packageFolder],
  })
}
