/** Reads failures from the output of test runners of Python, Go, Rust, Ruby and PHP. */
import { after, before, tally, totals, totalsIn, type Told } from './test-runners.ts'

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])

const collectionStop = /^Interrupted: \d+ errors? during collection$/
/** pytest exits with code 2 in this case. */
export const stopsAtCollection = (text: string): boolean =>
  /^!+ Interrupted: \d+ errors? during collection !+$/m.test(text)

/** pytest's short summary: a test, a file that could not be collected, or the error that ended the run. */
export function pytest(text: string): Told | null {
  const end = totalsIn(text, totals.pytest)
  if (end === null) return null
  const summary = text
    .split(/^=+ short test summary info =+$/m)
    .slice(1)
    .join('\n')
  const names = [...summary.matchAll(/^(?:FAILED|ERROR|SUBFAIL(?:ED)?(\([^)\n]*\))?) (\S.*?)(?: - .*)?$/gm)].map(
    ([, subtest = '', name = '']) => name + subtest,
  )
  // A collection error is already named by its files, so the resulting stop of pytest is not a separate failure.
  const ends = all(text, /^!+ (.+?) !+$/gm).filter((line) => names.length === 0 || !collectionStop.test(line))
  return { names: [...names, ...ends], failed: before(end, 'failed|errors?'), passed: before(end, 'passed') }
}

/**
 * A module that cannot be imported counts as a test. A failed set-up does not, and it prevents other tests from
 * running.
 */
export function unittest(text: string): Told | null {
  if (totalsIn(text, totals.unittest) === null) return null
  const names = all(text, /^={20,}\n(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/gm)
  const tests = new Set(
    names.map((name) => name.replace(/^(\S+ \([^)]*\)).*$/, '$1')).filter((name) => !/^(?:setUp|tearDown)/.test(name)),
  )
  const end = all(text, /^(?:OK|FAILED) \((.+)\)$/gm).join(', ')
  const expected = after(end, 'expected failures')
  const failed = after(end, 'failures') - expected + after(end, 'errors') + after(end, 'unexpected successes')
  return { names, failed, passed: tally(text, totals.unittest) - after(end, 'skipped') - expected - tests.size }
}

/**
 * Tests are printed before the line of their package. A failed package without failed tests did not build, or was ended
 * by something else.
 */
export function goTest(text: string): Told | null {
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

/** Prefixes each test with its binary. A binary that crashed has no result line. */
export function cargo(text: string): Told | null {
  if (totalsIn(text, totals.cargo) === null) return null
  let target = ''
  const names: string[] = []
  for (const line of text.split('\n')) {
    target = /^ *(?:Running (?:unittests )?|Doc-tests )(\S+)/.exec(line)?.[1] ?? target
    const test = /^test (.+?)(?: \(line \d+\))?(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1]
    if (test !== undefined) names.push(`${target} › ${test}`)
    if (/^ *process didn't exit successfully: /.test(line)) names.push(`${target} crashed`)
  }
  return { names, failed: tally(text, totals.cargo, 2), passed: tally(text, totals.cargo) }
}

export function rspec(text: string): Told | null {
  const end = totalsIn(text, totals.rspec)
  if (end === null) return null
  const named = [...text.matchAll(/^rspec '?(\S+?)(?::\d+|\[[\d:]+\])'? # (.+)$/gm)].map(
    ([, file, name]) => `${file} › ${name}`,
  )
  const failed = before(end, 'failures?')
  const passed = before(end, 'examples?') - failed - before(end, 'pending')
  const unloaded = all(text, /^An error occurred while loading (\S+?)\.?$/gm)
  return { names: [...named, ...unloaded], failed: failed + before(end, 'errors?'), passed }
}

export function minitest(text: string): Told | null {
  const end = totalsIn(text, totals.minitest)
  if (end === null) return null
  const names = all(text, /^(?: +\d+\) )?(?:Failure|Error):\n(\S+#.+?)(?: \[.*\])?:?$/gm)
  const failed = before(end, 'failures|errors')
  return { names, failed, passed: before(end, 'runs|tests') - failed - before(end, 'skips') }
}

export function phpunit(text: string): Told | null {
  const end = totalsIn(text, totals.phpunit)
  if (end === null) return null
  const failed = after(end, 'Failures') + after(end, 'Errors')
  const ran = tally(text, totals.phpunit) + tally(text, totals.phpunit, 2)
  const passed = ran - failed - after(end, 'Skipped') - after(end, 'Incomplete')
  return { names: all(text, /^\d+\) (\S+::.+)$/gm), failed, passed }
}
