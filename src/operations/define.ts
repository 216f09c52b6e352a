import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Context, Repository, WaitForGithub } from '../context.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { RequestTurn, TurnOf } from '../http/limits/request-turn.ts'
import { bearerToken } from '../http/middleware/bearer-token.ts'
import { parseQuery } from '../http/middleware/parse-query.ts'
import { readJson } from '../http/middleware/read-body.ts'
import { assignRepository } from '../lib/request-context.ts'
import type { EffectiveSettings } from '../settings/effective.ts'
import { hashIdempotencyKey, readIdempotencyKey } from './idempotency-key.ts'
import { validate } from './validate.ts'

/** The response of an operation. `headers` are those of this response only, such as `Location`. */
export interface Reply<Answer = unknown> {
  status: 200 | 201
  body: Answer
  headers?: Record<string, string>
}

export interface OperationInput<Query, Body> {
  /** `:id` of the path, or empty. */
  id: string
  query: Query
  body: Body
  /** The hash of the `Idempotency-Key`, if the operation accepts one and the caller sent one. */
  idempotency: string | undefined
  /** The requested path and query, for the `Link` header. */
  url: string
}

/** The facts of an operation, which the OpenAPI document and the MCP tools need. */
interface OperationFacts {
  method: 'get' | 'post' | 'patch'
  /** Below `/api/v1/repos/:owner/:repo`. */
  path: string
  operationId: string
  summary: string
  /** In Markdown. */
  description: string
  access: 'read' | 'write'
  query: z.ZodType
  /** The body of a GET is never read. */
  body: z.ZodType
  /** Whether the body may be missing; then it is `{}`. */
  bodyOptional?: boolean
  takesIdempotencyKey?: boolean
  /** The status of a success; `answer` is its body. */
  success: 200 | 201
  answer: z.ZodType
  /** Error codes that do not follow from the other facts. */
  errors?: readonly ErrorCode[]
}

interface OperationDefinition<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>
  extends OperationFacts {
  query: Query
  body: Body
  answer: Answer
  handle(context: Context, input: OperationInput<z.output<Query>, z.output<Body>>): Promise<Reply<z.output<Answer>>>
}

/** Checks access and creates the context of an operation. Created by `app.ts`. */
export interface OperationDeps {
  authorize(question: AccessRequest): Promise<Repository>
  settingsOf(repository: Repository, wait: WaitForGithub): Promise<EffectiveSettings>
  makeContext(repository: Repository, settings: EffectiveSettings, question: AccessRequest): Context
  turnOf: TurnOf
}

export interface AccessRequest {
  token: string
  owner: string
  repo: string
  need: 'read' | 'write'
  clientAddress: string
  requestId: string
  waitForGithub: WaitForGithub
}

/** One call of an operation, over HTTP or MCP. The functions are called after access has been granted. */
export interface OperationCall {
  caller: Omit<AccessRequest, 'need' | 'waitForGithub'>
  turn: RequestTurn
  id: string
  url: string
  /** Called when GitHub has granted access. */
  onRepository(repository: Repository): void
  query(): unknown
  idempotencyKey(): string | undefined
  body(): Promise<unknown>
}

export interface Operation extends OperationFacts {
  serve(deps: OperationDeps, request: Request, response: Response): Promise<void>
  /** Performs the operation apart from HTTP. Throws the errors of the operation. */
  perform(deps: OperationDeps, call: OperationCall): Promise<Reply>
}

export const noQuery = z.strictObject({})
/** What an operation without a body accepts: none, an empty one, or `{}` (docs/rules.md#request-bodies). */
export const noBody = z.strictObject({})
export const unreadBody = z.undefined()

/** Defines a route that checks 401, 404, 403, query, key, body, record in this order (docs/rules.md#order-of-checks). */
export function defineOperation<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  definition: OperationDefinition<Query, Body, Answer>,
): Operation {
  const { handle, ...facts } = definition
  async function perform(deps: OperationDeps, call: OperationCall): Promise<Reply> {
    const { waitForGithub } = call.turn
    const question = { ...call.caller, need: definition.access, waitForGithub }
    // What may have to wait for GitHub comes before the slot and the body.
    const repository = await deps.authorize(question)
    call.onRepository(repository)
    assignRepository(repository.id)
    const settings = await deps.settingsOf(repository, waitForGithub)
    return await call.turn.inSlot(repository.id, async () => {
      const query = validate(definition.query, call.query(), 'query')
      const key = definition.takesIdempotencyKey ? call.idempotencyKey() : undefined
      const body = validate(definition.body, await call.body(), 'body')
      return await handle(deps.makeContext(repository, settings, question), {
        id: call.id,
        query,
        body,
        idempotency: key && hashIdempotencyKey(repository.id, definition.path, key, question.token),
        url: call.url,
      })
    })
  }
  async function serve(deps: OperationDeps, request: Request, response: Response) {
    const caller = callerOf(request, response)
    const reply = await perform(deps, {
      caller,
      turn: deps.turnOf(request, response, caller.token),
      id: pathParameter(request, 'id'),
      url: request.originalUrl,
      onRepository: (repository) => {
        response.locals.repositoryId = repository.id
      },
      query: () => parseQuery(request.originalUrl),
      idempotencyKey: () => readIdempotencyKey(request.headers['idempotency-key']),
      body: () => readBody(definition, request, response),
    })
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
    response.status(reply.status).json(reply.body)
  }
  return { ...facts, serve, perform }
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
  }
}

async function readBody(
  { method, bodyOptional }: Pick<OperationFacts, 'method' | 'bodyOptional'>,
  request: Request,
  response: Response,
): Promise<unknown> {
  if (method === 'get') return undefined
  const json = await readJson(request, response)
  if (json === undefined && !bodyOptional) {
    throw new AppError('invalid_json', 'A JSON body is required.')
  }
  return json === undefined ? {} : json
}
