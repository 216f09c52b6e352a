import { defineConfig } from 'vitest/config'

/** `npm run soak`: SOAK_MINUTES of steady load, 10 unless said otherwise. */
export default defineConfig({
  test: {
    include: ['test/faults/soak.ts'],
    setupFiles: ['test/support/no-network.ts'],
    pool: 'forks',
    testTimeout: 24 * 3_600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
})
