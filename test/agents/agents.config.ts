import { defineConfig } from 'vitest/config'

/** `npm run test:agents`: the real agents, installed from npm. See AGENTS and AGENTS_VERSION in docs/agents.md. */
export default defineConfig({
  test: {
    include: ['test/agents/*.real.ts'],
    setupFiles: ['test/support/no-network.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    disableConsoleIntercept: true,
  },
})
