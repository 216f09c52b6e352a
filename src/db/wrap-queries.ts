import type pg from 'pg'

type Callback = (error: unknown, ...more: unknown[]) => void

/** Given what a call is given; what it returns is called with the call's error, null where none, once that is over. */
type Begin = (given: unknown[]) => (error: unknown) => void

/** Calls `begin` for each query of the connection. */
export function wrapQueries(client: pg.ClientBase, begin: Begin): void {
  Object.assign(client, { query: wrap(client, client.query, begin) })
}

/** Calls `begin` for whoever asks the pool for a connection. */
export function wrapConnects(pool: pg.Pool, begin: Begin): void {
  Object.assign(pool, { connect: wrap(pool, pool.connect, begin) })
}

function wrap(owner: object, method: (...given: never[]) => unknown, begin: Begin) {
  return (...given: unknown[]): unknown => {
    const end = begin(given)
    // The pool gives a callback, everybody else wants a promise.
    const last = given.at(-1)
    if (isCallback(last)) {
      const told: Callback = (error, ...more) => {
        end(error)
        last(error, ...more)
      }
      return Reflect.apply(method, owner, [...given.slice(0, -1), told])
    }
    const result = Reflect.apply(method, owner, given)
    if (result instanceof Promise) result.then(() => end(null), end)
    return result
  }
}

export function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}
