import type { Json } from '../client/json.ts'
import { claudeHost } from './claude/claude-host.ts'
import { codexHost } from './codex/codex-host.ts'
import { copilotHost, vscodeHost } from './copilot/copilot-host.ts'
import { cursorHost } from './cursor/cursor-host.ts'
import { devinHost } from './devin/devin-host.ts'
import { geminiHost } from './gemini/gemini-host.ts'
import type { Host } from './host.ts'
import type { Installable } from './install/hook-files.ts'
import { opencodeHost } from './opencode/opencode-host.ts'

/** The hosts by the word in the command line of a hook: `headsup hook codex`. */
export const namedHosts = {
  claude: claudeHost,
  codex: codexHost,
  cursor: cursorHost,
  gemini: geminiHost,
  copilot: copilotHost,
  opencode: opencodeHost,
} as const satisfies Readonly<Record<Installable, Host>>

/** The first host that matches the payload is used. Several hosts read Claude Code's settings, and so call its hook. */
const bySender = [opencodeHost, cursorHost, geminiHost, codexHost, devinHost, vscodeHost, copilotHost]

/** The host of a payload; the one that the command line names if no host matches. */
export function findHost(payload: Json, env: NodeJS.ProcessEnv, named: Host): Host {
  return bySender.find((host) => host.isSender(payload, env)) ?? named
}
