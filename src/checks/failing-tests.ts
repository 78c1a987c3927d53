/** Reads only the failed tests from a check's output: their names are used to compare two trees. */
import { normalize } from './normalize.ts'
import { isMocha } from './runners/mocha.ts'
import { stopsAtCollection } from './runners/pytest.ts'
import { runners } from './runners/runners.ts'
import { runnerText } from './tests-executed.ts'

export interface FailingTests {
  /** Repeated as often as they failed; includes failures that are not tests. */
  failing: string[]
  passing: number | null
}

/** Failures outside the tests, or failures that prevent tests from running. */
const beside = new RegExp(
  [
    '^(?:[#ℹ] )?(?:ERROR|Error|FAIL|Jest|Coverage)\\b.*\\b(?:not meet|not met|not reached|less than)\\b',
    '\\berror TS\\d+:',
    '^\\s*✖ \\d+ problems?\\b',
    '^error(?:\\[E\\d+\\])?: (?!test failed, to rerun|\\d+ targets? failed)',
    'asynchronous activity after the test ended',
    '^INTERNALERROR> .*Error\\b',
    '^Bail out!',
    '^Segmentation fault',
    '^FATAL ERROR: .*heap out of memory',
    '^\\S*sh: .*not found$',
  ].join('|'),
)

const most = 200
const longest = 300
/**
 * Whether the exit code only reports failed tests: 1 for most runners, 101 for Rust, the number of failures for mocha.
 * Any other code, such as that of make, becomes part of the comparison.
 */
const isPlain = (exitCode: number, text: string): boolean =>
  exitCode === 1 || exitCode === 101 || isMocha(text) || (exitCode === 2 && stopsAtCollection(text))

/** Null when the output does not name every failure. `cwd` is removed from file paths. */
export function failingTests(output: string, exitCode: number | null, cwd: string): FailingTests | null {
  if (exitCode === null || exitCode === 0 || exitCode > 125) return null
  const text = runnerText(output).replaceAll(`file://${cwd}/`, '').replaceAll(`${cwd}/`, '')
  const reported = runners
    .map(({ failures }) => (typeof failures === 'function' ? failures(text) : null))
    .filter((one) => one !== null)
  const isAll = reported.every(({ names, failed }) => names.length >= failed) && !hasUnnamed(text)
  if (reported.length === 0 || !isAll) return null
  const others = new Set(
    text
      .split('\n')
      .filter((line) => beside.test(line))
      .map(normalize),
  )
  const end = isPlain(exitCode, text) ? [] : [`exit ${exitCode}`]
  const failing = [...reported.flatMap(({ names, failed }) => once(names, failed)), ...others, ...end]
  if (failing.length === 0 || failing.length > most || failing.some((name) => name.length > longest)) return null
  const passing = reported.reduce<number | null>(
    (sum, { passed }) => (sum === null || passed === null ? null : sum + passed),
    0,
  )
  return { failing, passing }
}

/** Whether a runner spoke whose failed tests have no names. */
const hasUnnamed = (text: string): boolean =>
  runners.some(({ count, failures }) => failures === 'unnamed' && (count?.(text) ?? null) !== null)

/** Some runners print a failure twice, but two tests can also have the same name. */
function once(names: readonly string[], failed: number): readonly string[] {
  const distinct = [...new Set(names)]
  return distinct.length >= failed ? distinct : names
}
