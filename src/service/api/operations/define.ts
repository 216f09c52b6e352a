import { z } from 'zod'
import { AppError, type ErrorCode } from '../../../core/errors.ts'
import type { Context } from '../../context.ts'
import { assignRepository } from '../../lib/request-context.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import type { LiveUpdates } from '../../live/live-updates.ts'
import type { EventStream } from '../../live/stream.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { findRepository } from '../../records/repository/repository-store.ts'
import type { EffectiveSettings } from '../../records/settings/effective.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { hashIdempotencyKey } from './idempotency-key.ts'
import { validate } from './validate.ts'

/** The response of an operation. `headers` are those of this response only, such as `Location`. */
export interface Reply<Answer = unknown> {
  status: 200 | 201
  body: Answer
  headers?: Record<string, string>
  /** Instead of the body, the events of a stream. */
  stream?: EventStream
}

export interface OperationInput<Query, Body> {
  /** `:id` of the path, or empty. */
  id: string
  query: Query
  body: Body
  /** The hash of the `Idempotency-Key`, if the operation accepts one and the caller sent one. */
  idempotency: string | undefined
  /** The requested address, for the `Link` header. */
  url: string
  /** The `Last-Event-ID` of the request, for a stream. */
  lastEventId: string | undefined
  /** How long the client wants to wait at most, in ms, where it says so. */
  waitMs: number | undefined
  liveUpdates: LiveUpdates
  /** The settings of the repository as they are, and as it is named, when this is called. */
  currentSettings(): Promise<Settings>
  /** Whether the caller may write to the repository too. */
  mayWrite(): Promise<boolean>
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
  /** Whether the answer is a stream of server-sent events. */
  isStream?: boolean
  /** Whether MCP has no tool for it. */
  isNoTool?: boolean
  /** Whether this body may have more than 256 KiB. Without the function, none may. */
  mayBeLarge?(json: unknown): boolean
  /** The status of a success; `answer` is its body. */
  success: 200 | 201
  answer: z.ZodType
  /** The body if the query requests another one. MCP never does. */
  answerByQuery?: z.ZodType
  /** Error codes that do not follow from the other facts. */
  errors?: readonly ErrorCode[]
}

interface OperationDefinition<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  ByQuery extends z.ZodType,
> extends OperationFacts {
  query: Query
  body: Body
  answer: Answer
  answerByQuery?: ByQuery
  handle(
    context: Context,
    input: OperationInput<z.output<Query>, z.output<Body>>,
  ): Promise<Reply<z.output<Answer> | z.output<ByQuery>>>
}

/** Checks access and creates the context of an operation. Created by `app.ts`. */
export interface OperationDeps {
  authorize(accessRequest: RequestedAccess): Promise<Repository>
  settingsOf(repository: Repository, wait: WaitForGithub): Promise<EffectiveSettings>
  /** Watches repositories for streams of events. */
  liveUpdates: LiveUpdates
  makeContext(repository: Repository, settings: EffectiveSettings, accessRequest: RequestedAccess): Context
}

export interface RequestedAccess {
  token: string
  owner: string
  repo: string
  need: 'read' | 'write'
  clientAddress: string
  requestId: string
  /** The client's limit on waiting for readings, in ms. Absent: that of the service. */
  waitMs?: number | undefined
  waitForGithub: WaitForGithub
}

/** How one request waits, for GitHub and for a slot. */
export interface RequestSlot {
  /** Waits without a slot: gives back a slot that the request holds, and waits for one again afterwards. */
  waitForGithub: WaitForGithub
  /**
   * Does the work in a slot from the share of the repository, or of the token while the repository is unknown. Throws
   * `unavailable` if none gets free in time.
   */
  run<T>(repositoryId: bigint | undefined, work: () => Promise<T>): Promise<T>
}

/** One call of an operation, over HTTP or MCP. The functions are called after access has been granted. */
export interface OperationCall {
  caller: Omit<RequestedAccess, 'need' | 'waitForGithub'>
  slot: RequestSlot
  id: string
  url: string
  /** Called when GitHub has granted access. */
  onRepository(repository: Repository): void
  query(): unknown
  idempotencyKey(): string | undefined
  lastEventId(): string | undefined
  body(): Promise<unknown>
}

export interface Operation extends OperationFacts {
  /** Checks access, then the input, then does the work. Throws the errors of the operation. */
  perform(deps: OperationDeps, call: OperationCall): Promise<Reply>
}

export const noQuery = z.strictObject({})
/** What an operation without a body accepts: none, an empty one, or `{}` (docs/rules.md#request-bodies). */
export const noBody = z.strictObject({})
export const ignoredBody = z.undefined()

/** Defines an operation that checks 401, 404, 403, query, key, body, record in this order (docs/rules.md#order-of-checks). */
export function defineOperation<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  ByQuery extends z.ZodType = z.ZodNever,
>(definition: OperationDefinition<Query, Body, Answer, ByQuery>): Operation {
  const { handle, ...facts } = definition
  async function perform(deps: OperationDeps, call: OperationCall): Promise<Reply> {
    const { waitForGithub } = call.slot
    const accessRequest = { ...call.caller, need: definition.access, waitForGithub }
    // These two may wait for GitHub, so they come before the slot and the body.
    const repository = await deps.authorize(accessRequest)
    call.onRepository(repository)
    assignRepository(repository.id)
    const settings = await deps.settingsOf(repository, waitForGithub)
    return await call.slot.run(repository.id, async () => {
      const query = validate(definition.query, call.query(), 'query')
      const key = definition.takesIdempotencyKey ? call.idempotencyKey() : undefined
      const body = validate(definition.body, await call.body(), 'body')
      const context = deps.makeContext(repository, settings, accessRequest)
      return await handle(context, {
        id: call.id,
        query,
        body,
        idempotency: key && hashIdempotencyKey(repository.id, definition.path, key, accessRequest.token),
        url: call.url,
        lastEventId: call.lastEventId(),
        waitMs: call.caller.waitMs,
        liveUpdates: deps.liveUpdates,
        async currentSettings() {
          // A stream outlives a rename.
          const named = { ...repository, ...(await findRepository(context.db.prisma, repository.id)) }
          return (await deps.settingsOf(named, (ask) => ask())).settings
        },
        mayWrite: () => mayWrite(deps, accessRequest),
      })
    })
  }
  return { ...facts, perform }
}

async function mayWrite(deps: OperationDeps, accessRequest: RequestedAccess): Promise<boolean> {
  try {
    await deps.authorize({ ...accessRequest, need: 'write' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return false
    throw error
  }
}
