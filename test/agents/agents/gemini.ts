import type { AgentKind } from '../real-agent.ts'

export const gemini: AgentKind = {
  agent: 'gemini-cli',
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
    }),
  }),
  args: (prompt) => [
    ...['-p', prompt, '--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
  ],
  env: ({ url }) => ({
    ...{ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' },
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  read: (file_path) => ({ name: 'read_file', args: { file_path } }),
  edit: (file_path, old_string, new_string) => ({
    name: 'replace',
    args: { file_path, instruction: 'Change the line', old_string, new_string },
  }),
  shell: (command) => ({ name: 'run_shell_command', args: { command, description: 'Run it' } }),
  mcp: {
    add: (url, token) => [
      ...['mcp', 'add', '--scope', 'user', '--transport', 'http', '--header', `Authorization: Bearer ${token}`],
      ...['headsup', url],
    ],
    search: [],
    prefix: 'mcp_headsup_',
  },
}
