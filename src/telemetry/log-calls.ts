import type { EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { contextFields } from '../lib/request-context.ts'

/** The duration from which a statement is logged as slow, in ms. */
const slowMs = 500

/**
 * Logs each call to GitHub at `debug` and each slow statement at `warn`, with the id of the request or the name of the
 * job. The text of a statement has placeholders instead of values.
 */
export function logCalls(log: Log, slowQueryMs = slowMs): EmitEvent {
  return (event) => {
    if (event.kind === 'github_call') {
      const { credential, route, status, remaining, ms } = event.call
      const fields = {
        ...contextFields(event.requestContext),
        asker: credential,
        route,
        status: status ?? 'no answer',
        remaining,
        ms: rounded(ms),
      }
      log.debug(fields, 'call to GitHub')
    } else if (event.kind === 'query' && event.ms >= slowQueryMs) {
      const statement = event.text.replace(/\s+/g, ' ').trim().slice(0, 300)
      const fields = { ...contextFields(event.requestContext), statement, failed: event.failed, ms: rounded(event.ms) }
      log.warn(fields, 'slow statement')
    }
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
