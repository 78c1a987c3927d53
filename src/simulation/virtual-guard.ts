/** The tamper guard of the virtual world: finds weakened tests and files with new tests. */
import type { TamperGuard } from '../model/tamper.ts'

export const virtualGuard: TamperGuard = {
  concerns: (path) => path.endsWith('.test') || path.endsWith('.spec'),
  beside: [],
  alsoRead: () => [],
  searched: () => [],
  worthReading: () => [],
  overlay(how, { files }) {
    const tests = files
      .filter(({ path, before, after }) => virtualGuard.concerns(path) && before !== after)
      .map(({ path }) => path)
    const mayRevealMore = files.some(({ path, before }) => before !== null && tests.includes(path))
    return {
      paths: tests,
      merged: [],
      touched: tests.length > 0,
      mayRevealMore,
      touches: { tests, data: [], machinery: [] },
    }
  },
  compare: (changed) => ({
    findings: changed
      .filter(({ path, before, after }) => path.endsWith('.test') && before !== null && isWeaker(after))
      .map(({ path }) => ({
        kind: 'test-deleted',
        file: path,
        test: null,
        detail: 'tests were there, and are not any more',
      })),
    newTests: changed
      .filter(({ path, before, after }) => path.endsWith('.spec') && before === null && after !== null)
      .map(({ path }) => path),
  }),
}

export const isWeaker = (content: string | null | undefined): boolean => content?.startsWith('weakened') ?? true
