import type { AgentKind } from '../real-agent.ts'

export const opencode: AgentKind = {
  agent: 'opencode',
  files: (_, { url }) => ({
    // It fetches a package for its plugins, and would wait for a minute where there is no network.
    '.npmrc': 'fetch-retries=0\n',
    '.config/opencode/opencode.json': JSON.stringify({
      ...{ autoupdate: false, share: 'disabled', model: 'scripted/scripted', small_model: 'scripted/scripted' },
      permission: { edit: 'allow', bash: 'allow' },
      provider: {
        scripted: {
          ...{ npm: '@ai-sdk/openai-compatible', name: 'Scripted' },
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 8_000 } } },
        },
      },
    }),
  }),
  args: (prompt) => ['run', '--format', 'json', prompt],
  env: () => ({
    ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    ...{ OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  }),
  read: (filePath) => ({ name: 'read', args: { filePath } }),
  edit: (filePath, oldString, newString) => ({ name: 'edit', args: { filePath, oldString, newString } }),
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  mcp: {
    add: (url, token) => ['mcp', 'add', 'headsup', '--url', url, '--header', `Authorization=Bearer ${token}`],
    search: [],
    prefix: 'headsup_',
  },
}
