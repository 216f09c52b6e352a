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

/** What a verb's answer becomes on the wire. Headers are those of this answer alone, such as `Location`. */
export interface Reply<Answer = unknown> {
  status: 200 | 201
  body: Answer
  headers?: Record<string, string>
}

export interface OperationInput<Query, Body> {
  /** `{id}` of the path, or empty. */
  id: string
  query: Query
  body: Body
  /** The hash of the `Idempotency-Key`, where the route takes one and the caller sent one. */
  idempotency: string | undefined
  /** The path and query as they were asked for: what a `Link` refers to. */
  url: string
}

/** What a route is called and promises: all that the OpenAPI document needs beside what serves the request. */
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
  /** A GET's is never read. */
  body: z.ZodType
  /** Whether the body may be left out, and is `{}` then. */
  bodyOptional?: boolean
  takesIdempotencyKey?: boolean
  /** The status and the body of success. */
  success: 200 | 201
  answer: z.ZodType
  /** The refusals that are this route's own, beside those that follow from its other facts. */
  errors?: readonly ErrorCode[]
}

interface OperationDefinition<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>
  extends OperationFacts {
  query: Query
  body: Body
  answer: Answer
  handle(context: Context, input: OperationInput<z.output<Query>, z.output<Body>>): Promise<Reply<z.output<Answer>>>
}

/** Who the caller is allowed to be and what the verb will need: made by `app.ts`. */
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

/** One call of a route, through whichever door it came. What is a function is read after access has been decided. */
export interface OperationCall {
  caller: Omit<AccessRequest, 'need' | 'waitForGithub'>
  turn: RequestTurn
  id: string
  url: string
  /** Told as soon as GitHub has let the caller in. */
  onRepository(repository: Repository): void
  query(): unknown
  idempotencyKey(): string | undefined
  body(): Promise<unknown>
}

export interface Operation extends OperationFacts {
  serve(deps: OperationDeps, request: Request, response: Response): Promise<void>
  /** Everything but the wire. Throws what the route refuses. */
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
