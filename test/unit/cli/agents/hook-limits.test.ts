import { describe, expect, it } from 'vitest'
import type { AgentEventKind } from '../../../../src/cli/agents/agent-event.ts'
import { limitMsOf } from '../../../../src/cli/agents/hook-agent.ts'
import { namedHosts } from '../../../../src/cli/agents/hosts.ts'
import { hookFiles, settingsAgents } from '../../../../src/cli/agents/install/hook-files.ts'

describe('the time limit of a hook', () => {
  it.each<[AgentEventKind, number]>([
    ['session-start', 4000],
    ['before-edit', 1500],
    ['after-tool', 1500],
    ['session-end', 2500],
  ])('of the event %s is %i ms', (kind, ms) => {
    expect(limitMsOf(kind)).toBe(ms)
  })
})

describe('the time-outs in the settings', () => {
  /** The time-outs in an entry, in ms. */
  function timeouts(entry: unknown): number[] {
    if (typeof entry !== 'object' || entry === null) return []
    const { timeout, timeoutSec, ...rest } = entry as Record<string, unknown>
    const own = [timeout, timeoutSec].filter((value) => typeof value === 'number')
    return [...own.map((value) => (value < 1000 ? value * 1000 : value)), ...Object.values(rest).flatMap(timeouts)]
  }

  it.each(settingsAgents)('of %s end no hook that keeps its limit', (name) => {
    const host = namedHosts[name]
    for (const [event, entry] of Object.entries(hookFiles[name].entries('headsup'))) {
      const kind = host.read({ hook_event_name: event })?.event?.kind
      expect(kind).toBeDefined()
      const found = timeouts(entry)
      expect(found).toHaveLength(1)
      // A hook that gives up has a tenth of its limit to exit.
      for (const ms of found) expect(ms).toBeGreaterThan(1.1 * limitMsOf(kind ?? 'session-start'))
    }
  })
})
