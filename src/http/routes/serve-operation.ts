import type { Request, Response } from 'express'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Operation, OperationCall, OperationDeps } from '../../operations/define.ts'
import { readIdempotencyKey } from '../../operations/idempotency-key.ts'
import type { TurnOf } from '../limits/request-turn.ts'
import { bearerToken } from '../middleware/bearer-token.ts'
import { parseQuery } from '../middleware/parse-query.ts'
import { preferredWaitMs } from '../middleware/preferred-wait.ts'
import { readJson } from '../middleware/read-body.ts'

export interface ServeDeps extends OperationDeps {
  turnOf: TurnOf
}

/** Performs the operation of a request and sends its response. Throws the errors of the operation. */
export async function serveOperation(
  operation: Operation,
  deps: ServeDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = callerOf(request, response)
  const reply = await operation.perform(deps, {
    caller,
    turn: deps.turnOf(request, response, caller.token),
    id: pathParameter(request, 'id'),
    url: request.originalUrl,
    onRepository: (repository) => {
      response.locals.repositoryId = repository.id
    },
    query: () => parseQuery(request.originalUrl),
    idempotencyKey: () => readIdempotencyKey(request.headers['idempotency-key']),
    body: () => readBody(operation, request, response),
  })
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  response.status(reply.status).json(reply.body)
}

function pathParameter(request: Request, name: string): string {
  const value = request.params[name]
  return typeof value === 'string' ? value : ''
}

function callerOf(request: Request, response: Response): OperationCall['caller'] {
  return {
    token: bearerToken(request.headers.authorization),
    owner: pathParameter(request, 'owner'),
    repo: pathParameter(request, 'repo'),
    clientAddress: request.socket.remoteAddress ?? '',
    requestId: response.locals.requestId,
    waitMs: preferredWaitMs(request.headers.prefer),
  }
}

async function readBody(operation: Operation, request: Request, response: Response): Promise<unknown> {
  const { method, bodyOptional, takesChanges } = operation
  if (method === 'get') return undefined
  const json = await readJson(request, response, takesChanges ? hasChanges : undefined)
  if (json === undefined && !bodyOptional) {
    throw new AppError('invalid_json', 'A JSON body is required.')
  }
  return json === undefined ? {} : json
}

const BodyWithChanges = z.object({ changes: z.object({}) })

function hasChanges(json: unknown): boolean {
  return BodyWithChanges.safeParse(json).success
}
