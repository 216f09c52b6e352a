import type pg from 'pg'

type Callback = (error: unknown, ...more: unknown[]) => void

/** Calls `begin` with what each query of the connection is given, and what that gives with the query's error, null where none, once it is over. */
export function wrapQueries(client: pg.ClientBase, begin: (given: unknown[]) => (error: unknown) => void): void {
  const query: (...given: unknown[]) => unknown = client.query
  Object.assign(client, {
    query(...given: unknown[]): unknown {
      const end = begin(given)
      // The pool gives a callback, everybody else wants a promise.
      const last = given.at(-1)
      if (isCallback(last)) {
        const told: Callback = (error, ...more) => {
          end(error)
          last(error, ...more)
        }
        return Reflect.apply(query, client, [...given.slice(0, -1), told])
      }
      const result = Reflect.apply(query, client, given)
      if (result instanceof Promise) result.then(() => end(null), end)
      return result
    },
  })
}

export function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}
