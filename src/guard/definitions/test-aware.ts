/** Finds product code that detects whether it is tested, or that replaces assertions: no test can detect either. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { either } from '../pattern.ts'
import { roleOf } from '../reverse/roles.ts'
import { languageOf } from '../test-path.ts'

const longest = 400_000

const knowing = either(
  /\b(?:NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST_(?:WORKER|POOL)_ID|VITEST_MODE|PYTEST_CURRENT_TEST|PYTEST_VERSION)\b/,
  /process\.env\.(?:VITEST|JEST|MOCHA)\b/,
  /['"](?:pytest|unittest|nose)['"] (?:not )?in sys\.modules|sys\.modules\[['"](?:pytest|unittest)['"]\]/,
)
const replacing = either(
  /\bassert['"]?\)?\.(?:\w+\.)?(?:strict|equal|notEqual|deep|ok|throws|rejects|match)\w*\s*=(?!=)/,
  /\bTestCase\.(?:assert|fail)\w*\s*=(?!=)|\bsetattr\(\s*(?:\w+\.)?TestCase\b/,
  /\b(?:globalThis|global|window)\.(?:expect|it|test|describe|assert)\s*=(?!=)/,
)

export function compareTestAware(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path, after }) => after !== null && languageOf(path) !== null && roleOf(path) === 'product')
    .flatMap(({ path, before, after }) => {
      const known = new Set(
        (before ?? '')
          .slice(0, longest)
          .split('\n')
          .map((line) => line.trim()),
      )
      const fresh = (after ?? '')
        .slice(0, longest)
        .split('\n')
        .map((line) => line.slice(0, 500).trim())
        .filter((line) => !known.has(line))
      const aware = fresh.find((line) => knowing.test(line) && !isComment(line))
      const swap = fresh.find((line) => replacing.test(line) && !isComment(line))
      return [
        ...(aware === undefined
          ? []
          : [finding('check-changed', path, null, `product code asks whether it is tested: ${aware}`)]),
        ...(swap === undefined
          ? []
          : [finding('check-changed', path, null, `product code replaces an assertion: ${swap}`)]),
      ]
    })
}

const isComment = (line: string): boolean => /^(?:\/\/|#|\*|\/\*)/.test(line)
