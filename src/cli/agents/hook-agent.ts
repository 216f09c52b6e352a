import { asRecord, type Json, parseJson } from '../client/json.ts'
import { issueOptions } from '../client/work/issues.ts'
import { type Command, sharedOptions } from '../command.ts'
import { usageError } from '../failure.ts'
import { chosenLimitMs, limitsMs, runWithinLimit } from '../hooks/time-limit.ts'
import type { Terminal } from '../terminal.ts'
import type { AgentEventKind } from './agent-event.ts'
import type { Host, HostInput } from './host.ts'
import { findHost, namedHosts } from './hosts.ts'
import { agentsWithHooks } from './install/installed-hooks.ts'
import { runAgentHook } from './run-agent-hook.ts'

/** The command that an agent calls for each event. */
export function agentHook(name: keyof typeof namedHosts): Command {
  const named: Host = namedHosts[name]
  return {
    usage: '',
    summary: `Run by ${named.agent.name}, with the event on stdin. Always exits with 0, within seconds.`,
    examples: [],
    options: { url: sharedOptions.url, repo: sharedOptions.repo, ...issueOptions },
    async run(terminal, args) {
      const call: HostCall = { host: named, input: noEvent, message: undefined, lines: [] }
      const report = (line: string) => {
        call.message = line
      }
      const read = async (limited: Terminal) => {
        const payload: Json = asRecord(parseJson(await limited.readInput()))
        call.host = findHost(payload, limited.env, named)
        call.input = call.host.read(payload)
        if (!call.input) throw usageError(`the input on stdin is not an event of ${call.host.agent.name}.`)
      }
      const code = await runWithinLimit(terminal, inputLimitMs, read, report)
      const { event, cwd } = call.input ?? noEvent
      if (event) {
        const handle = async (limited: Terminal) => {
          // Nobody reads the notes on stderr.
          const quiet = { ...limited, cwd: cwd ?? limited.cwd, err: () => {} }
          if (name === 'claude' && hasOwnHooks(call.host, quiet)) return
          await runAgentHook({ terminal: quiet, args, agent: call.host.agent, event }, call)
        }
        await runWithinLimit(terminal, chosenLimitMs(terminal, limitMsOf(event.kind)), handle, report)
      }
      printAnswer(terminal, call)
      return code
    },
  }
}

interface HostCall {
  host: Host
  /** Undefined where stdin is not an event. */
  input: HostInput | undefined
  /** For the user. */
  message: string | undefined
  /** For the model. */
  lines: string[]
}

/** Until stdin is read. */
const noEvent: HostInput = { eventName: '', cwd: undefined, event: undefined }

/** Whether the host calls its own hooks of ours too, for the same event. */
function hasOwnHooks({ ownHooks }: Host, terminal: Terminal): boolean {
  return ownHooks !== undefined && agentsWithHooks(terminal).includes(ownHooks)
}

/** How long a hook waits for its input, in ms: as long as for anything else. */
const inputLimitMs = Math.max(...Object.values(limitsMs))

/** How long the hook of an event may take, in ms. */
export function limitMsOf(kind: AgentEventKind): number {
  if (kind === 'session-start') return limitsMs.sessionStart
  if (kind === 'session-end') return limitsMs.sessionEnd
  return limitsMs.tool
}

/** Prints one JSON value or nothing. A message that the host does not show goes to stderr. */
function printAnswer(terminal: Terminal, { host, input, message, lines }: HostCall): void {
  const kind = input?.event?.kind
  const isShown = kind !== undefined && host.showsMessageAt.includes(kind)
  if (message !== undefined && !isShown) terminal.err(message)
  const answer = host.write(input?.eventName ?? '', { lines, message: isShown ? message : undefined })
  if (Object.keys(answer).length > 0) terminal.out(JSON.stringify(answer))
}
