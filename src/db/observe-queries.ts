import type pg from 'pg'
import { currentErrand, keepErrand } from '../errand.ts'
import type { Observe } from '../observed.ts'

type Callback = (error: unknown, ...more: unknown[]) => void

/** Tells of every statement of the pool's connections once it is over: its text, never its values, and for whom it was. */
export function observeQueries(pool: pg.Pool, observe: Observe): void {
  keepErrands(pool)
  pool.on('connect', (client) => {
    const query: (...given: unknown[]) => unknown = client.query
    Object.assign(client, {
      query(...given: unknown[]): unknown {
        const errand = currentErrand()
        const began = performance.now()
        const tell = (error: unknown) => {
          const ms = performance.now() - began
          observe({ kind: 'query', errand, text: textOf(given[0]), ms, failed: Boolean(error) })
        }
        // The pool gives a callback, everybody else wants a promise.
        const last = given.at(-1)
        if (isCallback(last)) {
          const told: Callback = (error, ...more) => {
            tell(error)
            last(error, ...more)
          }
          return Reflect.apply(query, client, [...given.slice(0, -1), told])
        }
        const result = Reflect.apply(query, client, given)
        if (result instanceof Promise) result.then(() => tell(null), tell)
        return result
      },
    })
  })
}

/** Who waits for a connection is called back by whoever gives one back: on its own errand again, not on theirs. */
function keepErrands(pool: pg.Pool): void {
  const connect: (...given: unknown[]) => unknown = pool.connect
  Object.assign(pool, {
    connect(...given: unknown[]): unknown {
      const bound = given.map((value) => (isCallback(value) ? keepErrand(value) : value))
      return Reflect.apply(connect, pool, bound)
    },
  })
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null || !('text' in query)) return 'unknown'
  return typeof query.text === 'string' ? query.text : 'unknown'
}
