import type { Request, Response } from 'express'
import { AppError, notFound } from '../../../../core/errors.ts'
import type { Account } from '../../../../core/schemas/account.ts'
import type { EmitEvent } from '../../../lib/service-events.ts'
import type { WaitForGithub } from '../../../lib/wait-for-github.ts'
import type { EventStream } from '../../../live/stream.ts'
import type { Operation, OperationCall, OperationDeps } from '../../operations/define.ts'
import { readIdempotencyKey } from '../../operations/idempotency-key.ts'
import type { Session, Sessions } from '../../session/sessions.ts'
import type { SlotOf } from '../limits/api-slots.ts'
import type { OpenStreams } from '../limits/stream-limits.ts'
import { bearerToken } from '../middleware/bearer-token.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { parseQuery } from '../middleware/parse-query.ts'
import { preferredWaitMs } from '../middleware/preferred-wait.ts'
import { readJson } from '../middleware/read-body.ts'
import { sendJson } from '../middleware/send-json.ts'
import type { SlowReaders } from '../server/slow-readers.ts'
import { sendEvents } from './send-events.ts'

export interface ServeDeps extends OperationDeps {
  slotOf: SlotOf
  streams: OpenStreams
  slowReaders: SlowReaders
  /** The account of a token that GitHub has accepted; null where it is not known. */
  accountOf(token: string): Promise<Account | null>
  /** The beginning of links in headers: the address for clients, or nothing if it is not known. */
  linkRoot(): string
  /** How often the access of a stream's caller is checked again, in ms. */
  recheckMs: number
  emit: EmitEvent
  /** The sessions of the page. Absent: nobody can sign in. */
  sessions?: Sessions | undefined
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
    slot: deps.slotOf(request, response, caller.token),
    id: pathParameter(request, 'id'),
    url: deps.linkRoot() + request.originalUrl,
    onRepository: (repository) => {
      response.locals.repositoryId = repository.id
    },
    query: () => parseQuery(request.originalUrl),
    lastEventId: () => lastEventIdOf(request),
    idempotencyKey: () => readIdempotencyKey(request.headers['idempotency-key']),
    body: () => readBody(operation, request, response),
  })
  if (reply.stream) {
    await stream(deps, response, { stream: reply.stream, caller })
    return
  }
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  response.status(reply.status)
  sendJson(response, reply.body)
}

async function stream(
  deps: ServeDeps,
  response: Response,
  { stream, caller }: { stream: EventStream; caller: OperationCall['caller'] },
): Promise<void> {
  const waitForGithub: WaitForGithub = (ask) => ask()
  const session: Session | undefined = response.locals.session
  const assertSession = async () => {
    const hasEnded = session && (await deps.sessions?.hasEnded(session))
    if (hasEnded) throw new AppError('invalid_token', 'The session is over.')
  }
  const authorize = async () => {
    await assertSession()
    const accessRequest = { ...caller, need: 'read', waitForGithub } as const
    const repository = await deps.authorize(accessRequest)
    // The name may lead to another repository by now.
    if (repository.id !== stream.repositoryId) throw notFound()
    const settings = await deps.settingsOf(repository, waitForGithub)
    return deps.makeContext(repository, settings, accessRequest).viewer
  }
  try {
    await assertSession()
    const account = await deps.accountOf(caller.token)
    // A closed connection sends no event of its own any more.
    if (response.closed) {
      stream.stop()
      return
    }
    sendEvents(response, stream, {
      streams: deps.streams,
      slowReaders: deps.slowReaders,
      caller: { token: caller.token, accountId: account?.id },
      authorize,
      recheckMs: deps.recheckMs,
      emit: deps.emit,
      ...(session ? { onSignOut: (listener) => deps.sessions?.onSignOut(session, listener) } : {}),
    })
  } catch (error) {
    stream.stop()
    throw error
  }
}

function lastEventIdOf(request: Request): string | undefined {
  const id = request.headers['last-event-id']
  return typeof id === 'string' ? id : undefined
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
    clientAddress: clientAddress(request),
    requestId: response.locals.requestId,
    waitMs: preferredWaitMs(request.headers.prefer),
  }
}

async function readBody(operation: Operation, request: Request, response: Response): Promise<unknown> {
  const { method, bodyOptional, mayBeLarge } = operation
  if (method === 'get') return undefined
  const json = await readJson(request, response, mayBeLarge)
  if (json === undefined && !bodyOptional) {
    throw new AppError('invalid_json', 'A JSON body is required.')
  }
  return json === undefined ? {} : json
}
