import { describedResponses, responseFaults } from './description.ts'
import { withoutNames } from './operation.ts'
import type { Reply } from './route.ts'

const described = new Map(describedResponses.map((name) => [withoutNames(name), name]))
// Errors and redirects have the same form everywhere.
const message = 'GET /repos/{owner}/{repo} 404'

// GitHub differs from its own description here: the repository of a deleted fork is null.
const knownToDiffer = /^(?:\/\d+)?\/head\/repo:/

/** The differences between a response and GitHub's description of it. Empty if there are none, or no description. */
export function driftOf(operation: string | null, { status, body, text }: Reply): string[] {
  if (text !== undefined || body === undefined) return []
  const name = status >= 300 ? message : described.get(`${operation} ${status}`)
  if (name === undefined) return []
  return responseFaults(name, body).flatMap((fault) =>
    knownToDiffer.test(fault) ? [] : `${operation} ${status} ${fault}`,
  )
}
