import { defineConfig } from 'vitest/config'

/** `npm run soak`: steady load for SOAK_MINUTES, by default 10. */
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
