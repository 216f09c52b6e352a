import { describedResponses, responseFaults } from './description.ts'
import { withoutNames } from './operation.ts'
import type { Reply } from './route.ts'

const described = new Map(describedResponses.map((name) => [withoutNames(name), name]))
// A refusal and a redirection have one form everywhere.
const message = 'GET /repos/{owner}/{repo} 404'

// Where GitHub itself differs from its description: the repository of a deleted fork is null.
const knownToDiffer = /^(?:\/\d+)?\/head\/repo:/

/** Where an answer differs from GitHub's description of it; empty where it does not, or where none is kept. */
export function driftOf(operation: string | null, { status, body, text }: Reply): string[] {
  if (text !== undefined || body === undefined) return []
  const name = status >= 300 ? message : described.get(`${operation} ${status}`)
  if (name === undefined) return []
  return responseFaults(name, body).flatMap((fault) =>
    knownToDiffer.test(fault) ? [] : `${operation} ${status} ${fault}`,
  )
}
