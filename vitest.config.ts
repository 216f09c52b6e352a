import { defineConfig } from 'vitest/config'

const common = {
  setupFiles: ['test/support/no-network.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Loading the modules anew for each file took a third of the time. No module keeps what a test of another file could meet.
  isolate: false,
}

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
          globalSetup: ['test/support/global-setup.ts'],
          provide: { poolSize: 10 },
        },
      },
      {
        // Code that waits for a second connection while it holds one does not get far with one for callers and one for jobs.
        test: {
          ...common,
          name: 'pool of 2',
          include: [
            'test/integration/api/{activity-*,idempotency,notables,record-limits}.test.ts',
            'test/integration/webhooks/{archiving,following}.test.ts',
          ],
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
