/** Reads the names of executed tests, passed or failed, from a check's output, when the runner lists all of them. */
import { runners } from './runners/runners.ts'
import { runnerText } from './tests-executed.ts'

const most = 20_000

/**
 * In output order, repeated as often as they ran, without skipped tests. Null when the output does not list them. `cwd`
 * is removed from file paths.
 */
export function executedTests(output: string, cwd: string): string[] | null {
  const text = runnerText(output).replaceAll(`file://${cwd}/`, '').replaceAll(`${cwd}/`, '')
  const lists = runners.map(({ executed }) => executed?.(text) ?? []).filter((names) => names.length > 0)
  return lists.length === 0 ? null : lists.flat().slice(0, most)
}
