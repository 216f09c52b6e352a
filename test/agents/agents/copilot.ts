import type { AgentKind } from '../real-agent.ts'

export const copilot: AgentKind = {
  agent: 'copilot-cli',
  files: () => ({}),
  args: (prompt) => [
    ...['-p', prompt, '--allow-all-tools', '--trust-folder', '--output-format', 'json'],
    ...['--disable-client-telemetry', '--no-auto-update'],
  ],
  env: ({ url }) => ({
    ...{ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_API_KEY: 'dummy' },
    ...{ COPILOT_MODEL: 'scripted', COPILOT_OFFLINE: 'true' },
    ...{ COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000', COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8000' },
  }),
  read: (path) => ({ name: 'view', args: { path } }),
  edit: (path, old_str, new_str) => ({ name: 'edit', args: { path, old_str, new_str } }),
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it', mode: 'sync' } }),
  mcp: {
    add: (url, token) => [
      ...['mcp', 'add', '--transport', 'http', '--header', `Authorization: Bearer ${token}`, 'headsup', url],
    ],
    search: [],
    prefix: 'headsup-',
  },
}
