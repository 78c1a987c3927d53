import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/kit/build.ts'],
    setupFiles: ['test/kit/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { LOOPER_INSIDE: '' },
  },
})
