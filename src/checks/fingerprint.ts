/** Recognises the same failure again, whatever the paths, times, addresses and places in its text. */
import { createHash } from 'node:crypto'
import { plainBlock } from '../views/plain-text.ts'
import { normalise, wrongIn } from './normalise.ts'

const lastLines = 20
/** A flood of errors is told by its end. */
const maxFailures = 2_000

const telling = new RegExp(
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
/** A test that passed may well have "error" in its name. */
const passed = /^\s*(?:[✓✔√] |ok \d|PASS\b|--- PASS)|\.\.\. ok$|\bPASSED\b/

const isFailure = (line: string): boolean => telling.test(line) && !passed.test(line)

/** How many passed elsewhere does not make this another failure. */
const countingWords = new Set(
  [
    'n time duration duration_ms elapsed test tests file files suite suites snapshots examples runs assertions',
    'passed failed passing failing pass fail skipped skip skips pending todo ignored cancelled measured filtered total',
    'error errors failure failures warning warnings problem problems found in out of run ran ok at start started finished with and',
  ]
    .join(' ')
    .split(' '),
)

/** Of a line that only counts, how much is wrong; null when it does not say. */
function essential(line: string): string | null {
  const words = line.toLowerCase().match(/[\p{L}_]+/gu)
  const isCount = words !== null && /\b(?:N|\d+)\b/.test(line) && words.every((word) => countingWords.has(word))
  return words === null || isCount ? wrongIn(line) || null : line
}

/** Twelve hex digits. `cwd` is where the failure happened: its path is no part of it, even where it holds spaces. */
export function fingerprint(output: string, cwd?: string): string {
  const lines = withoutFolder(plainBlock(output), cwd).split('\n')
  const failures = [
    ...new Set(distinct(lines.filter(isFailure).slice(-maxFailures)).flatMap((line) => essential(line) ?? [])),
  ]
  // Tests that run side by side fail in any order.
  const essence =
    failures.length > 0 ? failures.toSorted() : distinct(lines.filter((line) => line.trim() !== '').slice(-lastLines))
  return createHash('sha256').update(essence.join('\n')).digest('hex').slice(0, 12)
}

const withoutFolder = (text: string, folder: string | undefined): string =>
  folder === undefined || folder.length < 2 ? text : text.replaceAll(`${folder}/`, '').replaceAll(folder, '<path>')

const distinct = (lines: readonly string[]): string[] => [...new Set(lines.map(normalise))]
