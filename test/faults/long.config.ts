import { defineConfig } from 'vitest/config'

/** `npm run test:faults`: the same tests as in the ordinary run, for minutes. FAULTS_ROUNDS and FAULTS_SEED say otherwise. */
export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    setupFiles: ['test/support/no-network.ts'],
    env: { FAULTS_ROUNDS: process.env.FAULTS_ROUNDS ?? '20' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
})
