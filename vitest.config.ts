import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import LongestFirst from './test/kit/longest-first.ts'
import { globs } from './test/kit/whole-program.ts'

/** Which tests: 'program' those of `npm run test:program`, 'others' those of `npm test`; otherwise all. */
const part = process.env['TEST_PART']

export default defineConfig({
  test: {
    include: part === 'program' ? globs : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Steps of their own: `npm run test:agents` needs the real CLIs, `npm run test:hostile` is run twice.
    exclude: [...configDefaults.exclude, 'test/agents/**', 'test/hostile/**', ...(part === 'others' ? globs : [])],
    globalSetup: ['test/kit/build.ts'],
    setupFiles: ['test/kit/seed.ts'],
    // Files share a process and what it has loaded: loading everything for each of them took a third of the time. Who
    // changes variables or clocks puts them back.
    isolate: false,
    // Many wait for processes of their own: with a worker for each core, cores would be idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { LOOPER_INSIDE: '' },
  },
})
