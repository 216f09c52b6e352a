import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than processors that CI has: many tests wait for a process, a browser or the clock.
    maxWorkers: 3,
    // Many tests run git: the smaller the worker is, the faster it forks.
    execArgv: ['--max-semi-space-size=4'],
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
