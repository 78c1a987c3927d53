import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They need the real CLIs: `npm run test:agents`.
    exclude: [...configDefaults.exclude, 'test/agents/**'],
    globalSetup: ['test/kit/build.ts'],
    setupFiles: ['test/kit/seed.ts'],
    // Most of them wait for processes of their own: leaving a core free, as is usual, would leave it idle.
    maxWorkers: '100%',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    env: { LOOPER_INSIDE: '' },
  },
})
