import type { RequestContext } from './request-context.ts'

/** Whose token is used for a call to GitHub: the caller's, one of an installation of the App, or the App's own. */
export type Credential = 'caller' | 'installation' | 'app'

export type DeliveryOutcome = 'handled' | 'duplicate' | 'ignored' | 'failed' | 'refused' | 'bad_signature'

/** `stopped`: the run ended early, and the next one continues. `not_due`: the job started early and did nothing. */
export type JobOutcome = 'done' | 'stopped' | 'busy' | 'failed' | 'not_due'

/**
 * Events for metrics, logs and traces. Routes are templates, and no value is a caller's text. Durations are in
 * milliseconds.
 */
export type ServiceEvent =
  | { kind: 'request_began'; requestContext: RequestContext; method: string; traceparent: string | undefined }
  | {
      kind: 'request'
      requestContext: RequestContext
      method: string
      route: string | undefined
      status: number | 'aborted'
      ms: number
    }
  | { kind: 'shed'; what: 'request' | 'delivery' }
  | { kind: 'permission'; question: 'sight' | 'write'; isKnown: boolean }
  | { kind: 'github_call'; requestContext: RequestContext | undefined; call: GithubCall }
  | { kind: 'delivery'; event: string; outcome: DeliveryOutcome }
  /** A change was sent to the streams. `ms` is the time since it was written. */
  | { kind: 'change_delivered'; ms: number }
  /** An event was sent to one stream. */
  | { kind: 'live_event'; event: string }
  | { kind: 'job_began'; requestContext: RequestContext; job: string }
  | { kind: 'job'; requestContext: RequestContext; job: string; outcome: JobOutcome; ms: number; counts: object }
  | { kind: 'query'; requestContext: RequestContext | undefined; text: string; ms: number; failed: boolean }

export interface GithubCall {
  credential: Credential
  /** As GitHub documents it: `GET /repos/{owner}/{repo}`. */
  route: string
  /** Null if no response came. */
  status: number | null
  isRateLimit: boolean
  /** How many calls the token has left; null if GitHub did not say. */
  remaining: number | null
  /** The time in GitHub's response, in ms since 1970; null if there is none. */
  serverTime: number | null
  /** What GitHub's headers say about the end of this route; null if they say nothing. */
  ends: { deprecation: string | null; sunset: string | null } | null
  /** The version of GitHub's API that the request named, if GitHub refused it. */
  refusedVersion: string | null
  ms: number
}

/** Never throws, and is fast: it runs in the middle of the work that it reports. */
export type EmitEvent = (event: ServiceEvent) => void

export const ignoreEvents: EmitEvent = () => {}

export function broadcast(listeners: readonly EmitEvent[]): EmitEvent {
  return (event) => {
    for (const listener of listeners) listener(event)
  }
}
