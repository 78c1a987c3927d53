/**
 * `npm run test:hostile [-- files]`: agents that misbehave, without the sandbox; with `LOOPER_TEST_SANDBOX=os` in it.
 * CI runs both. A step of its own, because each case is a whole run. Without the sandbox it also kills the program and
 * breaks its disk at more moments than `npm test` does.
 */
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** The files about one setting, which say why: they run in that one alone. */
const about = { off: ['settings'], os: ['escape', 'other-users'] }
const isConfined = process.env['LOOPER_TEST_SANDBOX'] === 'os'
const others = isConfined ? about.off : about.os
const crash = ['sweep', 'refused'].map((name) => `test/crash/${name}.test.ts`)

export default defineConfig({
  test: {
    include: ['test/hostile/**/*.test.ts', ...(isConfined ? [] : crash)],
    exclude: [...configDefaults.exclude, ...others.map((name) => `test/hostile/${name}.test.ts`)],
    globalSetup: ['test/kit/build.ts'],
    setupFiles: ['test/kit/seed.ts'],
    maxWorkers: availableParallelism() + 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { LOOPER_INSIDE: '', LOOPER_SWEEP: 'dense' },
  },
})
