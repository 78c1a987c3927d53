/** The checks and set-up of a run, and the environment variables that they may see. */
import { toolEnvironment, withheld, type Admission } from '../../agents/environment.ts'
import type { Mask } from '../../agents/mask.ts'
import { checkoutImports, type ImportRequest } from '../../checks/checkout-imports.ts'
import type { LoadedConfig } from '../../config/layers.ts'
import type { CheckConfig, Config, RunConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { CheckWork } from '../../model/work.ts'
import type { Discover } from './discover.ts'

/** By the name of the check. The journal records neither field. */
export interface Admissions {
  checks: ReadonlyMap<string, Admission>
  setup: Admission
}

export interface ChecksInForce {
  list: CheckConfig[]
  from: string
  notes: string[]
}

/** Hidden checks come last; one whose name is taken is renamed. */
export async function checksInForce(
  { config, hiddenChecks }: LoadedConfig,
  discover: Discover,
): Promise<ChecksInForce> {
  const { checks, from, notes } =
    config.checks === null
      ? { ...(await discover()), from: 'discovered' }
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

export interface SeenVariables {
  /** The variables that a program sees. */
  env: Record<string, string>
  /** Names of the user's variables that it does not see. */
  withheld: string[]
  /** Names of the variables that the configuration sets for it. */
  own: string[]
}

export function seenBy(env: NodeJS.ProcessEnv, admission: Admission): SeenVariables {
  const seen = toolEnvironment(env, admission)
  return { env: seen, withheld: withheld(env, seen), own: Object.keys(admission.env ?? {}) }
}

/** A command that an agent proposed must not see the variables that the user passes to their own checks. */
export const seenByCheck = (
  env: NodeJS.ProcessEnv,
  { checks }: Pick<Admissions, 'checks'>,
  { name, run }: Pick<CheckWork, 'name' | 'run'>,
): SeenVariables => seenBy(env, 'argv' in run ? {} : (checks.get(name) ?? {}))

/** Removes the variables, which the journal does not record. */
export function withoutVariables(config: RunConfig): RunConfig {
  const { env: _env, pass: _pass, ...workspace } = config.workspace
  const checks = config.checks.map(({ env: _own, pass: _passed, ...check }) => check)
  return { ...config, workspace, checks }
}

/**
 * Throws CONFIG_INVALID for a command that contains a secret: the journal would store it masked, and a resumed run
 * would execute the masked text.
 */
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

/** Commands that use a virtual environment of the folder that they run in. */
const usesOwnEnvironment = /\b(?:uv|poetry|pdm|pipenv|hatch|rye) run\b|\b(?:tox|nox)\b|(?:^|[\s=])\.?\/?\.?venv\//

/** Warns of installed packages that point into the user's checkout: checks in a workspace would test the checkout. */
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
