import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // What the files import is loaded once a worker: it takes longer than most of their tests.
    isolate: false,
    include: ['test/**/*.test.ts'],
    exclude: ['test/agents/**'],
    setupFiles: ['test/support/no-network.ts', 'test/support/leave-clean.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
