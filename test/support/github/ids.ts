import { createHash } from 'node:crypto'

// One row of ids for all worlds of a process: several of them may serve one database.
let lastId = 100

export function nextId(): number {
  return ++lastId
}

/** What stands for a commit: no commit is ever looked into. */
export function newSha(): string {
  return createHash('sha1').update(`commit ${nextId()}`).digest('hex')
}
