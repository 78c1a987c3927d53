/** Reads from a check's output which tests failed: the names by which one tree can be compared with another. */

/** Each fits one runner's way to name a test that failed; the first group is the name. */
const patterns: readonly RegExp[] = [
  // TAP, node:test
  /^\s*not ok \d+ - (.+?)(?: # .*)?$/,
  // node:test's spec reporter, vitest, mocha's list
  /^\s*(?:✖|×|✗) (.+?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  // vitest: FAIL  src/a.test.ts > group > name
  /^\s*FAIL {1,2}(\S+ > .+)$/,
  // jest
  /^\s*● (.+)$/,
  // mocha's summary: "  1) name:"
  /^\s{2,}\d+\) (.+?):?$/,
  // pytest
  /^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$/,
  // unittest: "FAIL: test_x (mod.Class)"
  /^(?:FAIL|ERROR): (\S+ \(.+\))$/,
  // go
  /^\s*--- FAIL: (\S+)/,
  // cargo
  /^test (\S+) \.\.\. FAILED$/,
  // rspec
  /^rspec (\S+) # .+$/,
  // minitest, phpunit: "1) Class::test"
  /^\d+\) (\S+(?:::|#)\S+)/,
]

const most = 200
const maxLine = 300

/** At most 200, each once; empty when the output names none. */
export function failingTests(output: string): string[] {
  const found = new Set<string>()
  for (const line of output.split('\n')) {
    if (line.length > maxLine) continue
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1]?.trim()
      if (name === undefined || name === '') continue
      found.add(name)
      break
    }
    if (found.size >= most) break
  }
  return [...found]
}
