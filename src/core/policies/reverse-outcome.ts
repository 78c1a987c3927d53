/** The result of the base's checks on the candidate's product: green, red with names of tests, or not runnable. */
import type { CheckOutcome } from '../../model/work.ts'
import { alteredNote } from './checks.ts'
import { beyond } from './test-name.ts'

export type ReverseOutcome =
  | { kind: 'green' }
  /** `failing` is null when the output does not name the failing tests. */
  | { kind: 'red'; failing: string[] | null }
  | { kind: 'not-runnable'; why: string }

/** One check on the reverse tree. `base`: tests that also fail on the base, which prove nothing about the candidate. */
export interface ReverseRun {
  name: string
  outcome: Pick<CheckOutcome, 'exitCode' | 'timedOut' | 'started' | 'tests' | 'failing' | 'tail' | 'altered'>
  base?: readonly string[]
}

/** One red check is enough for red. A check that could not run counts only when no other check is red. */
export function readReverse(runs: readonly ReverseRun[]): ReverseOutcome {
  const read = runs.map(readRun)
  const red = read.filter((one) => one.kind === 'red')
  if (red.length > 0) {
    const named = red.flatMap(({ failing }) => failing ?? [])
    return { kind: 'red', failing: red.some(({ failing }) => failing === null) && named.length === 0 ? null : named }
  }
  return read.find((one) => one.kind === 'not-runnable') ?? { kind: 'green' }
}

/** Many runners report a test file that could not be loaded as if it were a test. */
const unloaded = new RegExp(
  [
    '(?:^|[\\s/›])[\\w@./-]+\\.(?:[cm]?[jt]sx?|py|rb|php)$',
    '› Test suite failed to run$',
    '_FailedTest\\b',
    '\\[(?:build|setup) failed\\]',
    '^error\\b',
    'could not compile',
    '\\berror TS\\d+',
    '^Interrupted: \\d+ errors? during collection',
  ].join('|'),
)
/** Output that means that code and tests do not fit together. */
const unfit = new RegExp(
  [
    'Cannot find (?:module|package|name)',
    'ERR_(?:MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED|REQUIRE_ESM|UNKNOWN_FILE_EXTENSION)',
    'does not provide an export',
    'No "exports" main defined',
    'Missing script',
    'SyntaxError',
    'ImportError',
    'ModuleNotFoundError',
    'cannot import name',
    'error\\[E\\d+\\]',
    'could not compile',
    '\\[(?:build|setup) failed\\]',
    'undefined reference',
    'error TS\\d+',
    'No such file or directory',
    "can't open file",
    'command not found',
    ': not found',
    'No rule to make target',
    "Can't locate \\S+ in @INC",
    'fatal error: ',
    'undefined: ',
    'cannot find symbol',
    'No tests? (?:files? )?(?:were )?found',
    'unrecognized arguments',
    'unknown option',
  ].join('|'),
)

function readRun({ name, outcome, base = [] }: ReverseRun): ReverseOutcome {
  const { exitCode, timedOut, started, tests, failing, tail, altered } = outcome
  if (altered) return { kind: 'not-runnable', why: `${name}: ${alteredNote(altered)}` }
  if (!started || exitCode === 126 || exitCode === 127)
    return { kind: 'not-runnable', why: `${name} could not be started` }
  if (timedOut || exitCode === null) return { kind: 'not-runnable', why: `${name} did not end by itself` }
  if (exitCode === 0) return tests === 0 ? { kind: 'not-runnable', why: `${name} ran no tests` } : { kind: 'green' }
  if (failing === undefined) {
    const isUnfit = (tests ?? 0) === 0 && unfit.test(tail)
    return isUnfit ? { kind: 'not-runnable', why: `${name}: ${reasonIn(tail)}` } : { kind: 'red', failing: null }
  }
  const fresh = beyond(failing, base)
  if (fresh.length === 0) return { kind: 'green' }
  // `exit 2` stands for a failure that the names do not explain. A failed build among the names explains it.
  const named = fresh.filter((test) => !/^exit \d+$/.test(test))
  const tested = (named.length > 0 ? named : fresh).filter((test) => !unloaded.test(test))
  if (tested.length > 0) return { kind: 'red', failing: tested }
  return { kind: 'not-runnable', why: `${name} could not load ${fresh.slice(0, 3).join(', ')}` }
}

const reasonIn = (tail: string): string =>
  (tail.split('\n').find((line) => unfit.test(line)) ?? '').trim().slice(0, 200)
