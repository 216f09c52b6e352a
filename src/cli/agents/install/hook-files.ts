import type { Json } from '../../client/json.ts'

/** The agents with hooks in a settings file, by the word in the command line. */
export const settingsAgents = ['claude', 'codex', 'cursor', 'gemini', 'copilot'] as const
export type SettingsAgent = (typeof settingsAgents)[number]

/** The agents whose hooks can be installed. */
export const installable = [...settingsAgents, 'opencode'] as const
export type Installable = (typeof installable)[number]

/** The file with the hooks of an agent. */
export interface HookFile {
  /** From the top of the work tree. */
  path: string
  /** What the file has besides the hooks. */
  frame: Json
  /** Our entries, by event. */
  entries(command: string): Readonly<Record<string, Json>>
}

/** In seconds, but for Gemini CLI. Longer than a hook takes (`hooks/time-limit.ts`). */
const timeout = 5

export const hookFiles: Readonly<Record<SettingsAgent, HookFile>> = {
  claude: {
    path: '.claude/settings.json',
    frame: {},
    entries(command) {
      const hook = { type: 'command', command, timeout }
      const edits = 'Edit|Write|MultiEdit|NotebookEdit'
      return {
        SessionStart: { hooks: [hook] },
        PreToolUse: { matcher: edits, hooks: [hook] },
        // Not `async`: the model would be told with the request after the next one.
        PostToolUse: { matcher: `${edits}|Bash`, hooks: [hook] },
        SessionEnd: { hooks: [hook] },
      }
    },
  },
  codex: {
    path: '.codex/hooks.json',
    frame: {},
    entries(command) {
      const hook = { type: 'command', command, timeout }
      return {
        SessionStart: { hooks: [hook] },
        PreToolUse: { matcher: 'apply_patch', hooks: [hook] },
        PostToolUse: { matcher: 'apply_patch|Bash', hooks: [hook] },
        // Codex gives it no more, and complains about more in each session.
        SessionEnd: { hooks: [{ ...hook, timeout: 3 }] },
      }
    },
  },
  cursor: {
    path: '.cursor/hooks.json',
    frame: { version: 1 },
    entries: (command) => ({
      sessionStart: { command, timeout },
      preToolUse: { command, matcher: 'Write', timeout },
      postToolUse: { command, matcher: 'Write|Shell', timeout },
      sessionEnd: { command, timeout },
    }),
  },
  gemini: {
    path: '.gemini/settings.json',
    frame: {},
    entries(command) {
      const hooks = [{ type: 'command', command, name: 'headsup', timeout: timeout * 1000 }]
      return {
        SessionStart: { hooks },
        BeforeTool: { matcher: 'write_file|replace', hooks },
        AfterTool: { matcher: 'write_file|replace|run_shell_command', hooks },
        SessionEnd: { hooks },
      }
    },
  },
  copilot: {
    path: '.github/hooks/headsup.json',
    frame: { version: 1 },
    entries(bash) {
      const hook = { type: 'command', bash, timeoutSec: timeout }
      const edits = 'edit|create|apply_patch'
      return {
        sessionStart: hook,
        preToolUse: { ...hook, matcher: edits },
        postToolUse: { ...hook, matcher: `${edits}|bash` },
        sessionEnd: hook,
      }
    },
  },
}
