/** Determines where the test runners of the checks search for tests: a test that moves elsewhere is no longer run. */
import type { ChangedFile } from '../../model/tamper.ts'
import { isCollected, languageOf } from '../test-path.ts'
import { pathsOf, programOf, purposesOf, segments } from './commands.ts'
import { resolvedCommands } from './scripts.ts'
import { readSettings } from './settings.ts'
import { runnerFiles } from './swaps.ts'

export interface Collecting {
  before: (path: string) => boolean
  after: (path: string) => boolean
}

type When = keyof Collecting

/** Texts of which a path must contain one; null accepts any path. */
type TestPaths = readonly string[] | null

export const collecting = (given: readonly ChangedFile[], checks: readonly string[]): Collecting => ({
  before: collectedBy(given, checks, 'before'),
  after: collectedBy(given, checks, 'after'),
})

function collectedBy(given: readonly ChangedFile[], checks: readonly string[], when: When): (path: string) => boolean {
  const steps = resolvedCommands(given, checks, when).slice(checks.length).flatMap(segments)
  const config = configured(given, when)
  const [javascript, python] = [testPathsOf(steps, false), testPathsOf(steps, true)]
  const byName = config === 'default' && onlyByName(steps)
  const isIn = (path: string, testPaths: TestPaths): boolean =>
    testPaths === null || testPaths.some((testPath) => path.includes(testPath))
  return (path) => {
    const language = languageOf(path)
    if (language === 'rust') return true
    if (!isCollected(path) || isLaidAside(path, given)) return false
    if (language === 'python') return isIn(path, python)
    if (language !== 'javascript') return true
    return isIn(path, javascript) && (typeof config === 'string' || isIn(path, config)) && (!byName || named.test(path))
  }
}

const aside = /(?:^|\/)(?:node_modules|[._]*(?:disabled|skipped|quarantined?|attic|graveyard|trash)_*)\//i
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Whether the file is in a folder for disabled tests. A folder that also contains the tested code is not one. */
function isLaidAside(path: string, given: readonly ChangedFile[]): boolean {
  const isTested = ({ path: other, after }: ChangedFile): boolean =>
    after !== null && folderOf(other) === folderOf(path) && languageOf(other) !== null && !isCollected(other)
  return aside.test(path) && !given.some(isTested)
}

const pythonic = /^(?:py\.?test|unittest|nose2?|tox|nox|behave)$/

/** Returns the paths that are passed to the test runs. A step of unknown purpose may read any path. */
function testPathsOf(steps: readonly string[], python: boolean): TestPaths {
  const testPaths: string[] = []
  for (const step of steps) {
    const purposes = purposesOf(step)
    if (purposes.size === 0 && !/\b(?:build|install|ci)\b|^(?:cd|echo|true)\b/.test(step)) return null
    if (!purposes.has('tests') || pythonic.test(programOf(step)) !== python) continue
    const paths = pathsOf(step)?.map(literalOf) ?? []
    if (paths.length === 0 || paths.includes('')) return null
    testPaths.push(...paths)
  }
  return testPaths.length === 0 ? null : testPaths
}

/** Returns the literal beginning of a pattern. */
const literalOf = (pattern: string): string =>
  pattern
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:<rootDir>|\.)?\/?/, '')
    .replace(/[*?{}()[\]!+@|\\^$:].*$/, '')

const named = /(?:^|[/._-])(?:test|spec)s?\.\w+$|(?:^|\/)__tests__\//i

/** Vitest and Jest find tests by file name in any folder, unless they are configured otherwise. */
function onlyByName(steps: readonly string[]): boolean {
  const runs = steps.filter((step) => purposesOf(step).has('tests') && !pythonic.test(programOf(step)))
  const plain = (step: string): boolean =>
    /^(?:vitest|jest)$/.test(programOf(step)) && !/\s(?:-c|--(?:config|root|dir|project))/.test(step)
  return runs.length > 0 && runs.every(plain)
}

const testSettings =
  /(?:^|\.)(?:test\.(?:include|dir|root|projects|workspace)|testMatch|testRegex|roots|rootDir|projects|preset)$/
const listing = /(?:^|\.)(?:test\.include|testMatch|roots)$/

/** Returns where the settings at the root search for tests: paths, the default, or unknown. */
function configured(given: readonly ChangedFile[], when: When): NonNullable<TestPaths> | 'default' | 'unknown' {
  const files = given.filter(({ path }) => runnerFiles.includes(path) || path === 'package.json')
  const said = files
    .flatMap(({ path, [when]: text }) => [...readSettings(path, text)])
    .filter(([key]) => testSettings.test(key))
  if (said.length === 0) return 'default'
  const testPaths = said
    .flatMap(([, values]) => values)
    .filter((value) => !value.startsWith('!'))
    .map(literalOf)
  return said.every(([key]) => listing.test(key)) && testPaths.length > 0 && !testPaths.includes('')
    ? testPaths
    : 'unknown'
}
