import type { GithubCall } from '../lib/service-events.ts'

/** A span that has ended. `ms` is its duration. */
export interface EndedSpan {
  name: string
  ms: number
  failed: boolean
  attributes: Record<string, string | number>
}

/** A call to GitHub by OpenTelemetry's conventions, with the template of its URL and never the URL. */
export function spanOfCall({ credential, route, status, isRateLimit, remaining, ms }: GithubCall): EndedSpan {
  const [method = '', template = ''] = route.split(' ')
  return {
    name: route,
    ms,
    failed: status === null || status >= 500 || isRateLimit,
    attributes: {
      'http.request.method': method,
      'url.template': template,
      'headsup.asker': credential,
      ...(status === null ? { 'error.type': 'no_answer' } : { 'http.response.status_code': status }),
      ...(remaining === null ? {} : { 'headsup.rate_limit_remaining': remaining }),
    },
  }
}

/** A statement by OpenTelemetry's conventions. Its text has placeholders instead of values. */
export function spanOfQuery({ text, ms, failed }: { text: string; ms: number; failed: boolean }): EndedSpan {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, 1_000)
  const operation = /^[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? 'query'
  return {
    name: operation,
    ms,
    failed,
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': statement },
  }
}
