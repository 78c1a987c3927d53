/**
 * Computes a fingerprint that identifies the same failure despite different paths, times, addresses and line numbers.
 */
import { createHash } from 'node:crypto'
import { plainBlock } from '../views/text/plain-text.ts'
import { normalize, wrongIn } from './normalize.ts'

const lastLines = 20
/** Of a flood of errors, only the last ones count. */
const maxFailures = 2_000

const failureWords = new RegExp(
  [
    'error',
    'err!',
    'fail',
    'assert',
    'expected',
    'received',
    'actual',
    'panic',
    'exception',
    'fatal',
    'traceback',
    'abort',
    'not ok',
    'cannot',
    'could not',
    'unable',
    'undefined',
    'unexpected',
    'unresolved',
    'missing',
    'mismatch',
    'denied',
    'refused',
    'timed out',
    'segmentation',
    'overflow',
    'killed',
    'problem',
    '^E  ',
    '^\\s*[✗✖×●] ',
    '^\\s*[+-] ',
  ].join('|'),
  'i',
)
/** The name of a passed test may contain "error". */
const passed = /^\s*(?:[✓✔√] |ok \d|PASS\b|--- PASS)|\.\.\. ok$|\bPASSED\b/

const isFailure = (line: string): boolean => failureWords.test(line) && !passed.test(line)

/** Words of lines that only count. The number of passed tests must not change the fingerprint. */
const countingWords = new Set(
  [
    'n time duration duration_ms elapsed test tests file files suite suites snapshots examples runs assertions',
    'passed failed passing failing pass fail skipped skip skips pending todo ignored cancelled measured filtered total',
    'error errors failure failures warning warnings problem problems',
    'found in out of run ran ok at start started finished with and',
  ]
    .join(' ')
    .split(' '),
)

/** Of a line that only counts, the number of problems; null when it has none. */
function essential(line: string): string | null {
  const words = line.toLowerCase().match(/[\p{L}_]+/gu)
  const isCount = words !== null && /\b(?:N|\d+)\b/.test(line) && words.every((word) => countingWords.has(word))
  return words === null || isCount ? wrongIn(line) || null : line
}

/** Twelve hex digits. `cwd` is the folder of the failure: its path is ignored, even when it contains spaces. */
export function fingerprint(output: string, cwd?: string): string {
  const lines = withoutFolder(plainBlock(output), cwd).split('\n')
  const failures = [
    ...new Set(distinct(lines.filter(isFailure).slice(-maxFailures)).flatMap((line) => essential(line) ?? [])),
  ]
  // Tests that run in parallel fail in any order.
  const essence =
    failures.length > 0 ? failures.toSorted() : distinct(lines.filter((line) => line.trim() !== '').slice(-lastLines))
  return createHash('sha256').update(essence.join('\n')).digest('hex').slice(0, 12)
}

const withoutFolder = (text: string, folder: string | undefined): string =>
  folder === undefined || folder.length < 2 ? text : text.replaceAll(`${folder}/`, '').replaceAll(folder, '<path>')

const distinct = (lines: readonly string[]): string[] => [...new Set(lines.map(normalize))]
