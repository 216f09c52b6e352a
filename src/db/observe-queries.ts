import type pg from 'pg'
import type { EmitEvent } from '../lib/events.ts'
import { bindContext, currentContext } from '../lib/request-context.ts'
import { isCallback, wrapQueries } from './wrap-queries.ts'

/** Tells of every statement of the pool's connections once it is over: its text, never its values, and for whom it was. */
export function observeQueries(pool: pg.Pool, observe: EmitEvent): void {
  keepErrands(pool)
  pool.on('connect', (client) => {
    wrapQueries(client, (given) => {
      const requestContext = currentContext()
      const began = performance.now()
      return (error) => {
        const ms = performance.now() - began
        observe({ kind: 'query', requestContext, text: textOf(given[0]), ms, failed: Boolean(error) })
      }
    })
  })
}

/** Who waits for a connection is called back by whoever gives one back: on its own errand again, not on theirs. */
function keepErrands(pool: pg.Pool): void {
  const connect: (...given: unknown[]) => unknown = pool.connect
  Object.assign(pool, {
    connect(...given: unknown[]): unknown {
      const bound = given.map((value) => (isCallback(value) ? bindContext(value) : value))
      return Reflect.apply(connect, pool, bound)
    },
  })
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null || !('text' in query)) return 'unknown'
  return typeof query.text === 'string' ? query.text : 'unknown'
}
