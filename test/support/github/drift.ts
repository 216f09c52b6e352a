import { describedResponses, responseFaults } from './description.ts'
import { withoutNames } from './operation.ts'
import type { Reply } from './route.ts'

const described = new Map(describedResponses.map((name) => [withoutNames(name), name]))
// These have one form everywhere.
const moved = 'GET /repos/{owner}/{repo} 301'
const refused = 'GET /repos/{owner}/{repo} 404'

// Where GitHub itself differs from its description: the repository of a deleted fork is null.
const knownToDiffer = /^(?:\/\d+)?\/head\/repo:/

/** Where an answer differs from GitHub's description of it; empty where it does not, or where none is kept. */
export function driftOf(operation: string | null, { status, body, text }: Reply): string[] {
  if (text !== undefined || body === undefined) return []
  const name = status >= 400 ? refused : status >= 300 ? moved : described.get(`${operation} ${status}`)
  if (name === undefined) return []
  return responseFaults(name, body).flatMap((fault) =>
    knownToDiffer.test(fault) ? [] : `${operation} ${status} ${fault}`,
  )
}
