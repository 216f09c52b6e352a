import type { AgentKind } from '../real-agent.ts'

export const claude: AgentKind = {
  agent: 'claude-code',
  files: () => ({}),
  args: (prompt) => [
    ...['-p', prompt, '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
    ...['--allowedTools', 'Bash,mcp__headsup'],
  ],
  env: ({ url }) => ({
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' },
    ...{ DISABLE_ERROR_REPORTING: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  }),
  read: (file_path) => ({ name: 'Read', args: { file_path } }),
  edit: (file_path, old_string, new_string) => ({ name: 'Edit', args: { file_path, old_string, new_string } }),
  shell: (command) => ({ name: 'Bash', args: { command, description: 'Run it' } }),
  mcp: {
    add: (url, token) => [
      ...['mcp', 'add', '--transport', 'http', 'headsup', url, '--header', `Authorization: Bearer ${token}`],
    ],
    search: [
      {
        name: 'ToolSearch',
        args: { query: 'select:mcp__headsup__check_overlap,mcp__headsup__start_activity', max_results: 5 },
      },
    ],
    prefix: 'mcp__headsup__',
  },
}
