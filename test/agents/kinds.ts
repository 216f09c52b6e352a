import type { AgentName } from './install.ts'
import type { ScriptedCall } from './model/dialect.ts'

/** How an agent is set up and called without a person, and its own names of the tools. */
export interface AgentKind {
  /** As recorded. */
  agent: string
  /** The word of `headsup hook install`. */
  hook: string
  /** Files below HOME. */
  files?(path: string, model: string): Readonly<Record<string, string>>
  /** The arguments for one prompt. */
  args(prompt: string): readonly string[]
  env(model: string): Record<string, string>
  /** Replaces text of a file. */
  edit(file: string, from: string, to: string): ScriptedCall
  shell(command: string): ScriptedCall
  mcp: {
    /** The arguments that connect the server, as docs/api.md names them. */
    add(url: string, token: string): readonly string[]
    /** What the model calls before tools of the server, where these are not loaded at once. */
    search?: ScriptedCall
    /** What the agent puts before the name of a tool. */
    prefix: string
  }
}

const header = (token: string) => ['--header', `Authorization: Bearer ${token}`]

const claude: AgentKind = {
  ...{ agent: 'claude-code', hook: 'claude' },
  args: (prompt) => [
    ...['-p', prompt, '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
    ...['--allowedTools', 'Bash,mcp__headsup'],
  ],
  env: (model) => {
    return { ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'dummy', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }
  },
  edit: (file_path, old_string, new_string) => ({ name: 'Edit', args: { file_path, old_string, new_string } }),
  shell: (command) => ({ name: 'Bash', args: { command, description: 'Run it' } }),
  mcp: {
    add: (url, token) => ['mcp', 'add', '--transport', 'http', 'headsup', url, ...header(token)],
    search: { name: 'ToolSearch', args: { query: 'select:mcp__headsup__check_overlap', max_results: 5 } },
    prefix: 'mcp__headsup__',
  },
}

const codex: AgentKind = {
  ...{ agent: 'codex', hook: 'codex' },
  files: (path, model) => ({
    '.codex/config.toml': `model = "gpt-5.5-codex"
      model_provider = "scripted"
      check_for_update_on_startup = false
      analytics.enabled = false
      projects."${path}".trust_level = "trusted"
      [model_providers.scripted]
      name = "scripted"
      env_key = "SCRIPTED_KEY"
      base_url = "${model}/v1"
      wire_api = "responses"
      supports_websockets = false
    `,
  }),
  args: (prompt) => ['exec', '--json', '--sandbox', 'workspace-write', '--dangerously-bypass-hook-trust', prompt],
  env: () => ({ SCRIPTED_KEY: 'dummy' }),
  edit: (file, from, to) => ({
    name: 'apply_patch',
    input: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}+${to}*** End Patch`,
  }),
  shell: (cmd) => ({ name: 'exec_command', args: { cmd } }),
  mcp: {
    add: (url) => ['mcp', 'add', 'headsup', '--url', url, '--bearer-token-env-var', 'HEADSUP_TOKEN'],
    search: { name: 'tool_search', args: { query: 'headsup check overlap', limit: 8 } },
    prefix: '',
  },
}

const gemini: AgentKind = {
  ...{ agent: 'gemini-cli', hook: 'gemini' },
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
  env: (model) => ({
    ...{ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model, GEMINI_TELEMETRY_ENABLED: 'false' },
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  edit: (file_path, old_string, new_string) => ({
    name: 'replace',
    args: { file_path, instruction: 'Change the line', old_string, new_string },
  }),
  shell: (command) => ({ name: 'run_shell_command', args: { command, description: 'Run it' } }),
  mcp: {
    // Without a scope the token would lie in the repository.
    add: (url, token) => [
      ...['mcp', 'add', '--scope', 'user', '--transport', 'http', ...header(token), 'headsup', url],
    ],
    prefix: 'mcp_headsup_',
  },
}

const copilot: AgentKind = {
  ...{ agent: 'copilot-cli', hook: 'claude' },
  args: (prompt) => [
    ...['-p', prompt, '--allow-all-tools', '--trust-folder', '--output-format', 'json'],
    ...['--disable-client-telemetry', '--no-auto-update'],
  ],
  env: (model) => ({
    ...{ COPILOT_PROVIDER_BASE_URL: model, COPILOT_PROVIDER_TYPE: 'anthropic', COPILOT_PROVIDER_API_KEY: 'dummy' },
    ...{ COPILOT_MODEL: 'scripted', COPILOT_OFFLINE: 'true' },
    ...{ COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000', COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8000' },
  }),
  edit: (path, old_str, new_str) => ({ name: 'edit', args: { path, old_str, new_str } }),
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it', mode: 'sync' } }),
  mcp: {
    add: (url, token) => ['mcp', 'add', '--transport', 'http', ...header(token), 'headsup', url],
    prefix: 'headsup-',
  },
}

const opencode: AgentKind = {
  ...{ agent: 'opencode', hook: 'opencode' },
  files: (_, model) => ({
    // It fetches a package for its plugins, and would wait for a minute where there is no network.
    '.npmrc': 'fetch-retries=0\n',
    '.config/opencode/opencode.json': JSON.stringify({
      ...{ autoupdate: false, share: 'disabled', model: 'scripted/scripted', small_model: 'scripted/scripted' },
      permission: { edit: 'allow', bash: 'allow' },
      provider: {
        scripted: {
          ...{ npm: '@ai-sdk/anthropic', name: 'Scripted', options: { baseURL: `${model}/v1`, apiKey: 'dummy' } },
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
  edit: (filePath, oldString, newString) => ({ name: 'edit', args: { filePath, oldString, newString } }),
  shell: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  mcp: {
    add: (url, token) => ['mcp', 'add', 'headsup', '--url', url, '--header', `Authorization=Bearer ${token}`],
    prefix: 'headsup_',
  },
}

export const kinds: Readonly<Record<AgentName, AgentKind>> = { claude, codex, gemini, copilot, opencode }
