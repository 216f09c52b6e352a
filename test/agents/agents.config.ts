import { defineConfig } from 'vitest/config'

/** `npm run test:agents`: the real agents, installed from npm. AGENTS names some of them; AGENTS_VERSION is `latest`, or that of the table. */
export default defineConfig({
  test: {
    include: ['test/agents/*.real.ts'],
    setupFiles: ['test/support/no-network.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
})
