/** What doctor says of checks: which there are, whether agents can read hidden ones, and what they do not see. */
import { isTelling } from '../agents/secret-values.ts'
import type { LoadedConfig } from '../config/layers.ts'
import type { CheckConfig } from '../model/config.ts'
import type { DoctorRow } from '../surfaces/cli/app.ts'
import { admissionsOf, checksInForce, seenBy } from './check-settings.ts'
import { exposedChecks } from './exposed-checks.ts'
import type { Place } from './locate-agent.ts'

export async function checkRows(
  loaded: LoadedConfig, { root }: Place, env: NodeJS.ProcessEnv,
): Promise<DoctorRow[]> {
  const { list } = await checksInForce(loaded, root)
  const exposed = await exposedChecks(loaded, root)
  return [
    checkRow(list, loaded.config.checks === null),
    ...exposed.map(({ detail, hint }): DoctorRow => ({ check: 'hidden checks', ok: false, detail, hint })),
    ...variableRows(loaded, list, env),
  ]
}

function checkRow(list: readonly CheckConfig[], isDiscovered: boolean): DoctorRow {
  const check = 'checks'
  if (list.length > 0) return { check, ok: true, detail: list.map(({ run }) => run).join(', '), hint: null }
  if (!isDiscovered) return { check, ok: true, detail: 'switched off: everything will be unverified', hint: null }
  return { check, ok: false, detail: 'none: everything will be unverified', hint: 'Add "checks" to .looper/config.json.' }
}

/** Only variables that matter: those that look like secrets, and those that are to be passed and are not set. */
function variableRows({ config }: LoadedConfig, list: readonly CheckConfig[], env: NodeJS.ProcessEnv): DoctorRow[] {
  const { checks, setup } = admissionsOf(list, config)
  const admissions = [...checks.values(), setup]
  const withheld = admissions.map((admission) => new Set(seenBy(env, admission).withheld))
  const hidden = Object.keys(env).filter((name) => isTelling(name) && withheld.every((names) => names.has(name)))
  const unset = [...new Set(admissions.flatMap(({ pass = [] }) => pass))].filter((name) => env[name] === undefined)
  const hiddenRow: DoctorRow = {
    check: 'environment', ok: true, detail: `checks and set-up do not see ${hidden.join(', ')}`,
    hint: 'Add what one of them needs to its "pass" (checks[].pass, workspace.pass).',
  }
  const unsetRow: DoctorRow = {
    check: 'environment', ok: false, detail: `"pass" names ${unset.join(', ')}, which your environment does not set`,
    hint: 'Set it, or remove it from "pass" in .looper/config.json.',
  }
  return [...hidden.length > 0 ? [hiddenRow] : [], ...unset.length > 0 ? [unsetRow] : []]
}
