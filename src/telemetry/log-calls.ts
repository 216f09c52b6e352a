import type { EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { contextFields } from '../lib/request-context.ts'

/** From when on a statement is slow, in ms: the slowest request that is well takes less. */
const slowMs = 500

/**
 * A debug line for each call to GitHub and a warning for each slow statement, with the id of the request, or the name of the
 * job, that it was for. A statement's text has placeholders for its values.
 */
export function logCalls(log: Log, slowQueryMs = slowMs): EmitEvent {
  return (seen) => {
    if (seen.kind === 'github_call') {
      const { asker, route, status, remaining, ms } = seen.call
      const fields = {
        ...contextFields(seen.errand),
        asker,
        route,
        status: status ?? 'no answer',
        remaining,
        ms: tidy(ms),
      }
      log.debug(fields, 'call to GitHub')
    } else if (seen.kind === 'query' && seen.ms >= slowQueryMs) {
      const statement = seen.text.replace(/\s+/g, ' ').trim().slice(0, 300)
      const fields = { ...contextFields(seen.errand), statement, failed: seen.failed, ms: tidy(seen.ms) }
      log.warn(fields, 'slow statement')
    }
  }
}

function tidy(ms: number): number {
  return Math.round(ms * 100) / 100
}
