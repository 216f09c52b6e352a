import { configDefaults, defineConfig } from 'vitest/config'

const common = {
  setupFiles: ['test/support/no-network.ts'],
  // On a slow machine everything may come late.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // Loading the modules anew for each file took a third of the time. No module keeps what a test of another file could meet.
  isolate: false,
}

/**
 * Code that waits for a second connection while it holds one does not get far with one for callers and one for jobs. These files
 * use most of the service, and need no more connections for what they state.
 */
const onPoolOfTwo = [
  'test/integration/api/{activity-create,activity-lifecycle,activity-list,notables,record-limits}.test.ts',
  'test/integration/webhooks/{archiving,following}.test.ts',
]
/** They also compare requests at the same time, so they run with both pools. */
const onBothPools = ['test/integration/api/{activity-check,activity-update,idempotency}.test.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/faults/*/*.test.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'service',
          include: ['test/integration/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/faults/*.test.ts'],
          exclude: [...configDefaults.exclude, ...onPoolOfTwo],
          globalSetup: ['test/support/global-setup.ts'],
          provide: { poolSize: 10 },
        },
      },
      {
        test: {
          ...common,
          name: 'pool of 2',
          include: [...onPoolOfTwo, ...onBothPools],
          globalSetup: ['test/support/global-setup.ts'],
          provide: { poolSize: 2 },
        },
      },
      {
        // A real browser and the built service. Skipped without Chromium.
        test: {
          ...common,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/support/browser/chromium.ts'],
        },
      },
    ],
  },
})
