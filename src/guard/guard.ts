/**
 * The tamper guard detects whether a candidate weakens tests or checks of the base. It reads only the change, treats it
 * as untrusted, and never executes it.
 */
import type { ChangedFile, GuardReport, TamperFinding, TamperGuard } from '../model/tamper.ts'
import { compareTests } from './comparison/compare-tests.ts'
import { markAside } from './definitions/aside.ts'
import { compareCheckFiles } from './definitions/check-files.ts'
import { compareCiReach } from './definitions/ci-reach.ts'
import { compareCi } from './definitions/ci.ts'
import { compareSettings } from './definitions/compare-settings.ts'
import { collecting, type Collecting } from './definitions/collecting.ts'
import { compareConftest } from './definitions/conftest.ts'
import { compareDoctests } from './definitions/doctests.ts'
import { compareIgnoreFiles } from './definitions/ignore-files.ts'
import { compareOwnSettings } from './definitions/own-settings.ts'
import { compareScripts, scriptFiles } from './definitions/scripts.ts'
import { compareSwaps, runnerFiles } from './definitions/swaps.ts'
import { compareTestAware } from './definitions/test-aware.ts'
import { compareTestMain } from './definitions/test-main.ts'
import { compareTestLists } from './definitions/test-lists.ts'
import { finding } from './finding.ts'
import { proofOverlay, reverseOverlay } from './reverse/overlay.ts'
import { alsoRead, pytestFiles } from './reverse/read-by-checks.ts'
import { searched, worthReading } from './reverse/used-by-tests.ts'
import { assembleSuite, largest, readTests } from './read-suite.ts'
import { compareSnapshots } from './snapshots.ts'
import { withSubjects } from './subjects.ts'

const mostFindings = 200
const comparisons = [
  compareSnapshots,
  compareSettings,
  compareCi,
  compareCiReach,
  compareConftest,
  compareIgnoreFiles,
  compareOwnSettings,
  compareTestAware,
  compareTestMain,
]

/** Documents, images and styles contain neither tests nor checks. */
const aside = /\.(?:txt|md|mdx|rst|adoc|csv|tsv|svg|png|jpe?g|gif|webp|ico|pdf|woff2?|ttf|css|scss|html?)$/i

export const guard: TamperGuard = {
  concerns: (path) => !aside.test(path),
  beside: [...scriptFiles, ...runnerFiles, ...pytestFiles],
  alsoRead,
  searched,
  worthReading,
  overlay: (how, change) => (how === 'reverse' ? reverseOverlay(change) : proofOverlay(change)),
  compare,
}

function compare(given: readonly ChangedFile[], checks: readonly string[] = []): GuardReport {
  const files = given.filter(({ before, after }) => before !== after)
  const tests = compareAllTests(files, collecting(given, checks))
  const definitions = comparisons.flatMap((compareFiles) => compareFiles(files))
  const whole = [...compareSwaps(given), ...compareDoctests(given, checks), ...compareTestLists(given, checks)]
  const found = [...tests.findings, ...definitions, ...compareScripts(files, checks), ...whole]
  const reported = new Set(found.map(({ file }) => file))
  const findings = [...found, ...compareCheckFiles(given, checks).filter(({ file }) => !reported.has(file))]
  return { findings: markAside(findings.slice(0, mostFindings), given, checks), newTests: tests.newTests }
}

function compareAllTests(files: readonly ChangedFile[], collected: Collecting): GuardReport {
  const before = files.map(({ path, before: text }) => readTests(path, text))
  const after = files.map(({ path, after: text }) => readTests(path, text))
  const unread = files.flatMap(({ path, after: text }, index): TamperFinding[] => {
    const tests = before[index]?.tests.length ?? 0
    if (text === null || text.length <= largest || tests === 0) return []
    before[index] = { tests: [], helpers: [] }
    return [finding('test-deleted', path, null, `has grown too big to be compared, ${tests} tests with it`)]
  })
  const base = assembleSuite(before)
  const compared = compareTests(base, assembleSuite(after), collected)
  return { findings: withSubjects([...unread, ...compared.findings], files, base.tests), newTests: compared.newTests }
}
