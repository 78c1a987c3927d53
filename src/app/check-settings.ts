/** What a run needs to know of its checks and set-up: which there are, and what they may see. */
import { toolEnvironment, withheld, type Admission } from '../agents/environment.ts'
import type { Mask } from '../agents/mask.ts'
import { checkoutImports, type ImportRequest } from '../checks/checkout-imports.ts'
import { discoverChecks } from '../checks/discover.ts'
import type { LoadedConfig } from '../config/layers.ts'
import type { CheckConfig, Config, RunConfig } from '../model/config.ts'
import { LooperError } from '../model/error.ts'

/** By the name of the check; the journal keeps neither. */
export interface Admissions {
  checks: ReadonlyMap<string, Admission>
  setup: Admission
}

export interface ChecksInForce {
  list: CheckConfig[]
  from: string
  notes: string[]
}

/** Hidden checks come last, under names of their own. */
export async function checksInForce({ config, hiddenChecks }: LoadedConfig, root: string): Promise<ChecksInForce> {
  const { checks, from, notes } =
    config.checks === null
      ? { ...(await discoverChecks(root)), from: 'discovered' }
      : { checks: config.checks, from: 'configured', notes: [] }
  const taken = new Set(checks.map(({ name }) => name))
  const hidden = hiddenChecks.map((check) =>
    taken.has(check.name) ? { ...check, name: `${check.name} (hidden)` } : check,
  )
  return { list: [...checks, ...hidden], from, notes }
}

export const admissionsOf = (checks: readonly CheckConfig[], { workspace }: Pick<Config, 'workspace'>): Admissions => ({
  checks: new Map(checks.map(({ name, env, pass }) => [name, { env, pass }])),
  setup: { env: workspace.env, pass: workspace.pass },
})

/**
 * The variables that a program sees, the names of those that the user has and it does not see, and of those that the
 * configuration sets for it.
 */
export function seenBy(
  env: NodeJS.ProcessEnv,
  admission: Admission,
): { env: Record<string, string>; withheld: string[]; own: string[] } {
  const seen = toolEnvironment(env, admission)
  return { env: seen, withheld: withheld(env, seen), own: Object.keys(admission.env ?? {}) }
}

/** Without what the journal does not keep. */
export function withoutVariables(config: RunConfig): RunConfig {
  const { env: _env, pass: _pass, ...workspace } = config.workspace
  const checks = config.checks.map(({ env: _own, pass: _passed, ...check }) => check)
  return { ...config, workspace, checks }
}

/** A command that holds a secret itself would be stored masked, and run so after a resume. Throws CONFIG_INVALID. */
export function refuseSecretCommands(checks: readonly CheckConfig[], setup: readonly string[], mask: Mask): void {
  const commands = [
    ...checks.map(({ name, run }) => ({
      where: `The command of the check ${JSON.stringify(name)}`,
      run,
      key: 'checks[].pass',
    })),
    ...setup.map((run) => ({ where: 'A command of "workspace.setup"', run, key: 'workspace.pass' })),
  ]
  for (const { where, run, key } of commands) {
    const found = mask.finder.next(run, 0)
    if (found === null) continue
    throw new LooperError('CONFIG_INVALID', `${mask(where)} holds the value of ${found.name}.`, {
      hint:
        `Write "$${found.name}" there and add ${found.name} to "${key}". `
        + `If it is no secret, add "!${found.name}" to "secrets".`,
    })
  }
}

/** Programs that use an environment of the folder that they run in. */
const usesOwnEnvironment = /\b(?:uv|poetry|pdm|pipenv|hatch|rye) run\b|\b(?:tox|nox)\b|(?:^|[\s=])\.?\/?\.?venv\//

/** Installations through which checks in a workspace would test the user's checkout. */
export function importWarnings(
  { workspace }: Pick<Config, 'workspace'>,
  checks: readonly CheckConfig[],
  request: ImportRequest,
): string[] {
  if (workspace.mode === 'in-place' || checks.every(({ run }) => usesOwnEnvironment.test(run))) return []
  const found = checkoutImports(request)
  if (found.length === 0) return []
  const named = found.slice(0, 3).join(', ')
  return [
    `${named}: leads into your checkout, so checks may test the checkout and not the change; `
      + 'install the project in the workspace with "workspace.setup", and let checks use that installation',
  ]
}
