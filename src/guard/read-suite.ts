/** Collects the tests of one side of a change, and adds the assertions of the helpers that they call. */
import { groupBy } from './group-by.ts'
import { readJavaScript } from './javascript/read.ts'
import { readByPatterns } from './other-languages/read.ts'
import { readPython } from './python/read.ts'
import type { Assertion, Helper, TestCase, TestFile } from './test-case.ts'
import { times } from './test-case.ts'
import { languageOf, mayHoldTests } from './test-path.ts'

/** Larger test files are not read, so their content cannot be compared. */
export const largest = 1_000_000
const mostAssertions = 400
const deepest = 4

export interface Suite {
  tests: TestCase[]
  helpers: Helper[]
  /** Returns the test with the assertions of the helpers that it calls. */
  helped: (test: TestCase) => TestCase
}

export function readTests(file: string, text: string | null): TestFile {
  const language = languageOf(file)
  if (text === null || language === null || text.length > largest || !mayHoldTests(file, text))
    return { tests: [], helpers: [] }
  if (language === 'javascript') return readJavaScript(file, text)
  if (language === 'python') return readPython(file, text)
  return readByPatterns(file, text, language)
}

export function assembleSuite(files: readonly TestFile[]): Suite {
  const helpers = files.flatMap((file) => file.helpers)
  const byName = groupBy(helpers, ({ name }) => name)
  const helped = (test: TestCase): TestCase => withHelpers(test, byName)
  return { tests: files.flatMap((file) => file.tests.map(helped)), helpers, helped }
}

type Known = ReadonlyMap<string, readonly Helper[]>

function helperFor(name: string, file: string, known: Known): Helper | undefined {
  const named = known.get(name)
  return named?.find((helper) => helper.file === file) ?? named?.[0]
}

function withHelpers(test: TestCase, known: Known): TestCase {
  if (!test.calls.some((name) => known.has(name))) return test
  const assertions = test.assertions.filter(({ opaque }) => opaque === null || !known.has(opaque))
  const calls = [...test.calls]
  const visit = (names: readonly string[], via: string | null, depth: number, within: readonly string[]): void => {
    for (const name of names) {
      const helper = helperFor(name, test.file, known)
      if (helper === undefined || within.includes(name) || assertions.length >= mostAssertions) continue
      const own = helper.assertions.filter(({ opaque }) => opaque === null || !known.has(opaque))
      assertions.push(
        ...own.map((assertion): Assertion => ({ ...assertion, times: times(assertion.times, 1), via: via ?? name })),
      )
      calls.push(...helper.calls.slice(0, 100))
      if (depth < deepest) visit(helper.calls.slice(0, 100), via ?? name, depth + 1, [...within, name])
    }
  }
  // A recursive helper does not count its assertions again.
  visit(test.calls.slice(0, mostAssertions), null, 1, [test.name])
  return { ...test, assertions: assertions.slice(0, mostAssertions), calls }
}
