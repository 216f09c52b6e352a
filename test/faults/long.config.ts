import { defineConfig } from 'vitest/config'

/** `npm run test:faults`: longer runs of the ordinary tests, and the slow tests. See FAULTS_ROUNDS and FAULTS_SEED. */
export default defineConfig({
  test: {
    include: ['test/faults/{hang,kill,rolling}.test.ts', 'test/faults/*.long.ts'],
    setupFiles: ['test/support/no-network.ts'],
    env: { FAULTS_ROUNDS: process.env.FAULTS_ROUNDS ?? '20' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
})
