import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    globalSetup: ['test/kit/build.ts', 'test/agents/kit/install.ts'],
    setupFiles: ['test/agents/kit/leave-nothing.ts'],
    reporters: ['verbose'],
    // They wait more than they work.
    maxWorkers: 3,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { LOOPER_INSIDE: '' },
  },
})
