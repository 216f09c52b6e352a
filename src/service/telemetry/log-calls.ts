import type { Log } from '../lib/log.ts'
import { contextFields } from '../lib/request-context.ts'
import type { EmitEvent, GithubCall } from '../lib/service-events.ts'

/** The duration from which a statement is logged as slow, in ms. */
const slowMs = 500
/** How often it is logged that GitHub ends a route or refuses the version of its API, in ms. */
const repeatMs = 86_400_000

/**
 * Logs each call to GitHub at `debug` and each slow statement at `warn`, with the id of the request or the name of the
 * job. The text of a statement has placeholders instead of values.
 */
export function logCalls(log: Log, slowQueryMs = slowMs): EmitEvent {
  const warnOnce = createDailyWarning(log)
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
      warnOfCall(event.call, warnOnce)
    } else if (event.kind === 'query' && event.ms >= slowQueryMs) {
      const statement = event.text.replace(/\s+/g, ' ').trim().slice(0, 300)
      const fields = { ...contextFields(event.requestContext), statement, failed: event.failed, ms: rounded(event.ms) }
      log.warn(fields, 'slow statement')
    }
  }
}

type Warn = (route: string, fields: object, message: string) => void

/** Logs each message about a route once a day. */
function createDailyWarning(log: Log): Warn {
  const loggedAt = new Map<string, number>()
  return (route, fields, message) => {
    const key = `${message} ${route}`
    if (Date.now() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < repeatMs) return
    loggedAt.set(key, Date.now())
    log.warn({ route, ...fields }, message)
  }
}

function warnOfCall({ route, ends, refusedVersion: version }: GithubCall, warn: Warn): void {
  if (ends) warn(route, ends, 'GitHub announces the end of a route that Headsup uses')
  if (version !== null) {
    warn(route, { version }, 'GitHub refuses the version of its API; the request is sent again without one')
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
