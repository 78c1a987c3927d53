/** go test. */
import { executedNames, sum, type Count, type RunnerTotals, type TestRunner } from './test-runner.ts'

/** Without -v, go prints packages and not tests. */
function count(text: string): Count {
  const verbose = sum(text, /^--- (?:PASS|FAIL): /gm, () => 1)
  if (verbose !== null) return verbose
  const packages = [...text.matchAll(/^(?:(?:ok|FAIL|\?) *\t\S+\t|\t\S+\t\tcoverage: ).*$/gm)].map(([line]) => line)
  if (packages.some((line) => !/\[no test files\]|\[no tests to run\]|^\t/.test(line))) return 'some'
  return packages.length > 0 || /^testing: warning: no tests to run$/m.test(text) ? 0 : null
}

/**
 * Tests are printed before the line of their package. A failed package without failed tests did not build, or was ended
 * by something else.
 */
function failures(text: string): RunnerTotals | null {
  const names: string[] = []
  let open: string[] = []
  let spoke = false
  for (const line of text.split('\n')) {
    const test = /^\s*--- FAIL: (\S+)/.exec(line)?.[1] ?? (/^(?:panic|fatal error): /.test(line) ? 'panic' : undefined)
    if (test !== undefined) open.push(test)
    const [, status, name, why] = /^(ok {2}|FAIL)\t(\S+)(?:\t.*| (\[.+\]))?$/.exec(line) ?? []
    if (name === undefined) continue
    spoke = true
    if (status === 'FAIL')
      names.push(...(open.length > 0 ? open.map((known) => `${name} › ${known}`) : [why ? `${name} ${why}` : name]))
    open = []
  }
  const passed = text.match(/^[ \t]*--- PASS: /gm)?.length ?? null
  return spoke ? { names: [...names, ...open], failed: names.length, passed } : null
}

const executed = (text: string): string[] => executedNames(text, /^\s*--- (?:PASS|FAIL): (\S+)/gm)

export const goTest: TestRunner = { count, failures, executed }
