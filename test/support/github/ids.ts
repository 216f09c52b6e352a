import { createHash } from 'node:crypto'

// One sequence of ids per process, since several stand-ins may serve one database.
let lastId = 100

export function nextId(): number {
  return ++lastId
}

/** A random commit id. There are no commits. */
export function newSha(): string {
  return createHash('sha1').update(`commit ${nextId()}`).digest('hex')
}
