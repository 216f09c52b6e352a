import type { GithubCall } from '../lib/events.ts'

/** A span that is over; `ms` is how long it took. */
export interface PastSpan {
  name: string
  ms: number
  failed: boolean
  attributes: Record<string, string | number>
}

/** A call to GitHub as OpenTelemetry names it; the template of its URL, never the URL. */
export function spanOfCall({ asker, route, status, isRateLimit, remaining, ms }: GithubCall): PastSpan {
  const [method = '', template = ''] = route.split(' ')
  return {
    name: route,
    ms,
    failed: status === null || status >= 500 || isRateLimit,
    attributes: {
      'http.request.method': method,
      'url.template': template,
      'headsup.asker': asker,
      ...(status === null ? { 'error.type': 'no_answer' } : { 'http.response.status_code': status }),
      ...(remaining === null ? {} : { 'headsup.rate_limit_remaining': remaining }),
    },
  }
}

/** A statement as OpenTelemetry names it; its text has placeholders for its values. */
export function spanOfQuery({ text, ms, failed }: { text: string; ms: number; failed: boolean }): PastSpan {
  const statement = text.replace(/\s+/g, ' ').trim().slice(0, 1_000)
  const operation = /^[a-z]+/i.exec(statement)?.[0].toUpperCase() ?? 'query'
  return {
    name: operation,
    ms,
    failed,
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': statement },
  }
}
