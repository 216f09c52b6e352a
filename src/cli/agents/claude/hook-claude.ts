import { type Command, sharedOptions } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { runWithinLimit } from '../../hooks/time-limit.ts'
import type { Terminal } from '../../terminal.ts'
import { runAgentHook } from '../run-agent-hook.ts'
import { contextOutput, messageOutput, readClaudeInput } from './claude-event.ts'

const agent = { id: 'claude-code', name: 'Claude Code' }

export const command: Command = {
  usage: '',
  summary: 'Run by Claude Code, with the event on stdin. Always exits with 0, within a second.',
  options: { url: sharedOptions.url, repo: sharedOptions.repo },
  run(terminal, args) {
    // Claude Code shows its user the JSON on stdout, except at the end of a session.
    let isStdoutShown = true
    const report = (line: string) => (isStdoutShown ? terminal.out(messageOutput(line)) : terminal.err(line))
    const work = async (limited: Terminal) => {
      const input = readClaudeInput(await limited.readInput())
      isStdoutShown = input !== undefined && input.eventName !== 'SessionEnd'
      if (!input) throw usageError('the input on stdin is not an event of Claude Code.')
      const { event, eventName } = input
      if (!event) return
      await runAgentHook({
        // Nobody reads the notes on stderr.
        terminal: { ...limited, cwd: input.cwd ?? limited.cwd, err: () => {} },
        args,
        agent,
        event,
        addContext: (lines) => terminal.out(contextOutput(eventName, lines)),
      })
    }
    return runWithinLimit(terminal, work, report)
  },
}
