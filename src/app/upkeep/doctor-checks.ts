/**
 * The rows of `looper doctor` about checks: the checks in effect, hidden checks that agents can read, and withheld
 * variables.
 */
import { suggestsSecret } from '../../agents/secret-values.ts'
import type { LoadedConfig } from '../../config/layers.ts'
import type { CheckConfig } from '../../model/config.ts'
import type { DoctorRow } from '../../api/upkeep.ts'
import { admissionsOf, checksInForce, importWarnings, seenBy } from '../prepare/check-settings.ts'
import type { AppContext } from '../context.ts'
import { discoverIn } from '../prepare/discover.ts'
import { exposedChecks } from '../prepare/exposed-checks.ts'
import type { ProgramSearch } from '../prepare/locate-agent.ts'
import { missingNpmScript } from './missing-npm-script.ts'
import { missingProgram } from './missing-program.ts'

export async function checkRows(
  loaded: LoadedConfig,
  place: ProgramSearch,
  { env, home }: Pick<AppContext, 'env' | 'home'>,
): Promise<DoctorRow[]> {
  const { root } = place
  const { list } = await checksInForce(loaded, discoverIn(root, env))
  const exposed = await exposedChecks(loaded, root)
  return [
    checkRow(list, loaded.config.checks === null),
    ...(await programRows(loaded, list, place, env)),
    ...exposed.map(({ detail, hint }): DoctorRow => ({ check: 'hidden checks', ok: false, detail, hint })),
    ...importWarnings(loaded.config, list, { root, home, env }).map((detail): DoctorRow => ({
      check: 'imports',
      ok: false,
      detail,
      hint: null,
    })),
    ...variableRows(loaded, list, env),
  ]
}

export function checkRow(list: readonly CheckConfig[], isDiscovered: boolean): DoctorRow {
  const check = 'checks'
  if (list.length > 0) return { check, ok: true, detail: list.map(({ run }) => run).join(', '), hint: null }
  if (!isDiscovered) return { check, ok: true, detail: 'switched off: everything will be unverified', hint: null }
  return {
    check,
    ok: false,
    detail: 'none: everything will be unverified',
    hint: 'Add "checks" to .looper/config.json.',
  }
}

/** Without this row, the user learns of a missing program only when the check is red on the base. */
async function programRows(
  { config }: LoadedConfig,
  list: readonly CheckConfig[],
  place: ProgramSearch,
  env: NodeJS.ProcessEnv,
): Promise<DoctorRow[]> {
  const { checks } = admissionsOf(list, config)
  const rows = await Promise.all(
    list.map(async ({ name, run }): Promise<DoctorRow[]> => {
      const path = seenBy(env, checks.get(name) ?? {}).env['PATH'] ?? place.path
      const program = await missingProgram(run, { ...place, path })
      const script = program === null ? await missingNpmScript(run, place.root) : null
      if (script !== null) {
        const hint = 'Add it to package.json, or fix the check in .looper/config.json.'
        return [{ check: `check ${name}`, ok: false, detail: `${run}: package.json has no script "${script}"`, hint }]
      }
      if (program === null) return []
      const hint = `Install ${program}, or fix the check in .looper/config.json.`
      return [{ check: `check ${name}`, ok: false, detail: `${run}: the program ${program} is not in PATH`, hint }]
    }),
  )
  return rows.flat()
}

/** Only variables that matter: withheld ones that look like secrets, and ones in `pass` that are not set. */
function variableRows({ config }: LoadedConfig, list: readonly CheckConfig[], env: NodeJS.ProcessEnv): DoctorRow[] {
  const { checks, setup } = admissionsOf(list, config)
  const admissions = [...checks.values(), setup]
  const withheld = admissions.map((admission) => new Set(seenBy(env, admission).withheld))
  const hidden = Object.keys(env).filter((name) => suggestsSecret(name) && withheld.every((names) => names.has(name)))
  const unset = [...new Set(admissions.flatMap(({ pass = [] }) => pass))].filter((name) => env[name] === undefined)
  const hiddenRow: DoctorRow = {
    check: 'environment',
    ok: true,
    detail: `checks and set-up do not see ${hidden.join(', ')}`,
    hint: 'Add what one of them needs to its "pass" (checks[].pass, workspace.pass).',
  }
  const unsetRow: DoctorRow = {
    check: 'environment',
    ok: false,
    detail: `"pass" names ${unset.join(', ')}, which your environment does not set`,
    hint: 'Set it, or remove it from "pass" in .looper/config.json.',
  }
  return [...(hidden.length > 0 ? [hiddenRow] : []), ...(unset.length > 0 ? [unsetRow] : [])]
}
