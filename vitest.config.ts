import { defineConfig } from 'vitest/config'

const common = {
  setupFiles: ['test/support/no-network.ts'],
  // On a slow machine everything may come late.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // Loading the modules anew for each file took a third of the time. No module keeps what a test of another file could meet.
  isolate: false,
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Tests often wait: two cores are busy with three.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/faults/*/*.test.ts'],
        },
      },
      {
        // With PostgreSQL, and with Chromium where there is one.
        test: {
          ...common,
          name: 'service',
          include: ['test/{integration,e2e,browser}/**/*.test.ts', 'test/faults/*.test.ts'],
          globalSetup: [
            ...['test/support/global-setup.ts', 'test/support/browser/chromium.ts', 'test/support/stock-postgres.ts'],
          ],
        },
      },
    ],
  },
})
