import type { RequestContext } from './request-context.ts'

/** With whose token GitHub is asked: a caller's, one of an installation of the App, or the App's own. */
export type Credential = 'caller' | 'installation' | 'app'

export type DeliveryOutcome = 'handled' | 'duplicate' | 'ignored' | 'failed' | 'refused'

/** `stopped`: it ended early, and its next turn goes on. `not_due`: it woke before its time, and did nothing. */
export type JobOutcome = 'done' | 'stopped' | 'busy' | 'failed' | 'not_due'

/**
 * What has happened, for whoever watches: metrics, logs, traces. Routes are templates, and no value is a caller's text.
 * Durations in ms.
 */
export type ServiceEvent =
  | { kind: 'request_began'; errand: RequestContext; method: string; traceparent: string | undefined }
  | {
      kind: 'request'
      errand: RequestContext
      method: string
      route: string | undefined
      status: number | 'aborted'
      ms: number
    }
  | { kind: 'unreadable'; status: number }
  | { kind: 'shed'; what: 'request' | 'delivery' }
  | { kind: 'permission'; question: 'sight' | 'write'; isKnown: boolean }
  | { kind: 'github_call'; errand: RequestContext | undefined; call: GithubCall }
  | { kind: 'delivery'; event: string; outcome: DeliveryOutcome }
  | { kind: 'job_began'; errand: RequestContext; job: string }
  | { kind: 'job'; errand: RequestContext; job: string; outcome: JobOutcome; ms: number; counts: object }
  | { kind: 'query'; errand: RequestContext | undefined; text: string; ms: number; failed: boolean }

export interface GithubCall {
  asker: Credential
  /** As GitHub documents it: `GET /repos/{owner}/{repo}`. */
  route: string
  /** Null where no answer came. */
  status: number | null
  isRateLimit: boolean
  /** Calls that are left of the token's limit, where GitHub said. */
  remaining: number | null
  ms: number
}

/** Never throws, and is quick: it runs in the middle of what it is told of. */
export type EmitEvent = (seen: ServiceEvent) => void

export const ignoreEvents: EmitEvent = () => {}

export function broadcast(observers: readonly EmitEvent[]): EmitEvent {
  return (seen) => {
    for (const observe of observers) observe(seen)
  }
}
