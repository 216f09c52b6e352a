import type { RequestHandler } from 'express'
import { readBearer } from '../middleware/bearer-token.ts'
import { sendError } from '../middleware/error-handler.ts'
import type { RequestTurns } from './request-turn.ts'

const repositoryPath = /^\/api\/v1\/repos\/([\w.-]+)\/([\w.-]+)\//

/**
 * Refuses requests that could not even wait for a slot, before anything is logged for them. A request of the API is
 * only refused if its permission is cached. Otherwise the refusal would reveal that the repository exists and is busy.
 */
export function rejectEarly(
  turns: Pick<RequestTurns, 'isFull' | 'earlyRefusal'>,
  knownRepository: (asked: { token: string; owner: string; repo: string }) => bigint | undefined,
): RequestHandler {
  return (request, response, next) => {
    const token = turns.isFull() ? readBearer(request.headers.authorization) : null
    if (token === null) return next()
    const [, owner = '', repo = ''] = repositoryPath.exec(request.originalUrl) ?? []
    const repositoryId = knownRepository({ token, owner, repo })
    // At /mcp the first slot is the token's.
    if (repositoryId === undefined && request.baseUrl !== '/mcp') return next()
    const refusal = turns.earlyRefusal(repositoryId, token)
    if (refusal) sendError(response, refusal)
    else next()
  }
}
