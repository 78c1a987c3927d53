/** All test runners whose output Looper reads. */
import { cargo } from './cargo.ts'
import { goTest } from './go-test.ts'
import { indentedNames } from './indented-names.ts'
import { jest } from './jest.ts'
import { minitest } from './minitest.ts'
import { mocha } from './mocha.ts'
import { nodeTest } from './node-test.ts'
import { phpunit } from './phpunit.ts'
import { pytest } from './pytest.ts'
import { rspec } from './rspec.ts'
import { executedNames, first, sum, type TestRunner } from './test-runner.ts'
import { unittest } from './unittest.ts'
import { unnamed } from './unnamed.ts'
import { vitest } from './vitest.ts'

/** Vitest and jest, when there is nothing to run. */
const noFiles: TestRunner = { count: (text) => sum(text, /^No test(?:s| files) found,? exiting with code/gm, () => 0) }

/** `✔ file › name`. With a single file there is no file prefix, and the node reader matches instead. */
const ava: TestRunner = {
  executed: (text) => executedNames(text, /^ *[✔✘✖] (?:\[fail\]: )?(\S.* › .+?)(?: \([\d.]+m?s\))?$/gm),
}

export const runners: readonly TestRunner[] = [
  vitest,
  jest,
  mocha,
  { executed: indentedNames },
  noFiles,
  nodeTest,
  ava,
  pytest,
  unittest,
  goTest,
  cargo,
  rspec,
  minitest,
  phpunit,
  ...unnamed,
]

/** Playwright, custom runners and others: `3 passed, 0 failed`. "0 failed" alone may come from a linter. */
export function anyRunner(text: string): number | null {
  const passed = sum(text, /\b(\d+)(?: tests?)? passed\b/g, first)
  const failed = sum(text, /\b(\d+)(?: tests?)? failed\b/g, first) ?? 0
  return passed === null && failed === 0 ? null : (passed ?? 0) + failed
}
