import { realpathSync } from 'node:fs'
import type { AgentKind } from '../real-agent.ts'

export const codex: AgentKind = {
  agent: 'codex',
  files: ({ path }, { url }) => ({
    '.codex/config.toml': `model = "gpt-5.5-codex"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
[projects."${realpathSync(path)}"]
trust_level = "trusted"
`,
  }),
  args: (prompt) => ['exec', '--json', '--sandbox', 'workspace-write', '--dangerously-bypass-hook-trust', prompt],
  env: () => ({ SCRIPTED_KEY: 'dummy' }),
  read: (file) => ({ name: 'exec_command', args: { cmd: `sed -n 9,13p '${file}'` } }),
  edit: (file, from, to) => ({
    name: 'apply_patch',
    input: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}+${to}*** End Patch`,
  }),
  shell: (cmd) => ({ name: 'exec_command', args: { cmd } }),
  mcp: {
    add: (url) => ['mcp', 'add', 'headsup', '--url', url, '--bearer-token-env-var', 'HEADSUP_TOKEN'],
    search: [{ name: 'tool_search', args: { query: 'headsup check overlap start activity', limit: 8 } }],
    prefix: '',
  },
}
