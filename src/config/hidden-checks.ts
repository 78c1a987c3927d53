/**
 * Reads `.looper/hidden-checks.json`: checks that agents must not find. Git ignores the file, so no worktree contains
 * it.
 */
import { join } from 'node:path'
import type { CheckConfig } from '../model/config.ts'
import { isObject } from '../model/object.ts'
import { nameChecks } from './check-names.ts'
import { parseJson, readConfigFile } from './file.ts'
import { checkList } from './keys/checks.ts'
import { invalid, problemError } from './problem.ts'
import { findProblem } from './validate.ts'

export const hiddenChecksPath = join('.looper', 'hidden-checks.json')

/** The file contains a list as in `checks`, alone or under that key; every entry is hidden. Throws CONFIG_INVALID. */
export function readHiddenChecks(root: string | null, visible: readonly CheckConfig[]): CheckConfig[] {
  const origin = { where: hiddenChecksPath }
  const text = root === null ? null : readConfigFile({ ...origin, path: join(root, hiddenChecksPath) })
  if (text === null || text.trim() === '') return []
  const value = parseJson(text, origin)
  const said = isObject(value) ? value['checks'] : value
  const problem = findProblem(checkList, said, ['checks'])
  if (problem !== null) throw problemError(origin, problem)
  const checks = nameChecks(said as (string | CheckConfig)[]).map((check) => ({ ...check, hidden: true }))
  const names = [...visible, ...checks].map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(origin, `there are two checks named ${JSON.stringify(twice)}`)
  return checks
}
