/** Hidden checks that agents can read all the same, because every clone holds them or the run works in place. */
import { parseJson } from '../config/file.ts'
import { hiddenChecksPath } from '../config/hidden-checks.ts'
import type { LoadedConfig } from '../config/layers.ts'
import { projectFile } from '../config/places.ts'
import type { CheckConfig } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { isObject } from '../model/object.ts'
import { committedText } from '../workspace/tracked.ts'

export interface Exposure {
  /** One line: which checks are where. */
  detail: string
  hint: string
  /** False: that is known when a run is to work in place. */
  isRefused: boolean
}

/** Of a run that would begin at HEAD. */
export async function exposedChecks(
  { config, hiddenChecks, sources }: LoadedConfig, root: string,
): Promise<Exposure[]> {
  const isProject = (sources['checks']?.source ?? '').startsWith('project')
  const inProject = isProject ? (config.checks ?? []).filter(({ hidden }) => hidden === true) : []
  if (inProject.length + hiddenChecks.length === 0) return []
  const { where } = projectFile(root)
  if (config.workspace.mode === 'in-place') {
    const file = inProject.length > 0 ? where : hiddenChecksPath
    return [{
      detail: `in place, agents can read the hidden checks in ${file}`,
      hint: 'Use workspaces (the default), which do not hold them.', isRefused: false,
    }]
  }
  const text = await committedText(root, where)
  const commands = text === null ? [] : commandsIn(text)
  const inCommit = hiddenChecks.filter(({ run }) => commands.includes(run))
  const remedy = `Move it to ${hiddenChecksPath}, which git ignores, and commit ${where} without it.`
  const said = (await committedText(root, hiddenChecksPath)) === null ? [] : hiddenChecks
  return [
    ...exposure(text === null ? [] : [...inProject, ...inCommit], where, remedy),
    ...exposure(said, hiddenChecksPath, `Run: git rm --cached ${hiddenChecksPath} && git commit`),
  ]
}

/** Throws CONFIG_INVALID: no workspace may hold a hidden check. */
export function refuseExposed(exposures: readonly Exposure[]): void {
  const first = exposures.find(({ isRefused }) => isRefused)
  if (first) throw new LooperError('CONFIG_INVALID', `${first.detail}.`, { hint: first.hint })
}

function exposure(checks: readonly CheckConfig[], where: string, hint: string): Exposure[] {
  if (checks.length === 0) return []
  const named = checks.map(({ name }) => JSON.stringify(name)).join(', ')
  const subject = checks.length === 1
    ? `the check ${named} is hidden, but it is`
    : `the checks ${named} are hidden, but they are`
  return [{ detail: `${subject} in ${where}, which is committed: every workspace holds it`, hint, isRefused: true }]
}

/** The commands of the checks in a configuration; none when it cannot be read. */
function commandsIn(text: string): unknown[] {
  try {
    const value = parseJson(text, { where: 'HEAD' })
    const checks = isObject(value) ? value['checks'] : null
    return (Array.isArray(checks) ? checks : []).map((check: unknown) => (isObject(check) ? check['run'] : check))
  } catch {
    return []
  }
}
