import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { AppError, invalidField } from '../../../core/errors.ts'
import { bearerToken } from '../http/middleware/bearer-token.ts'
import { clientAddress } from '../http/middleware/client-address.ts'
import { describeError } from '../http/middleware/describe-error.ts'
import { methodNotAllowed } from '../http/middleware/method-not-allowed.ts'
import { preferredWaitMs } from '../http/middleware/preferred-wait.ts'
import { readJson } from '../http/middleware/read-body.ts'
import type { SlowReaders } from '../http/server/slow-readers.ts'
import type { McpDeps } from './call-tool.ts'
import { withApiErrors } from './sdk-errors.ts'
import { buildServer } from './server.ts'

const path = '/mcp'

/** Serves MCP over Streamable HTTP without sessions: each request has its own token. */
export function mcpRouter(deps: McpDeps, slowReaders: SlowReaders): Router {
  const router = Router({ caseSensitive: true })
  const route = router.route(path)
  route.all((_request, response, next) => {
    response.locals.route = path
    next()
  })
  route.post(async (request, response) => {
    await serve(deps, request, response)
    slowReaders.watch(response)
  })
  route.all(methodNotAllowed('POST'))
  return router
}

const CallWithChanges = z.object({ params: z.object({ arguments: z.object({ changes: z.object({}) }) }) })

function hasChanges(message: unknown): boolean {
  return CallWithChanges.safeParse(message).success
}

async function serve(deps: McpDeps, request: Request, response: Response): Promise<void> {
  const token = bearerToken(request.headers.authorization)
  const slot = deps.slotOf(request, response, token)
  const caller = {
    token,
    slot,
    clientAddress: clientAddress(request),
    requestId: String(response.locals.requestId),
    waitMs: preferredWaitMs(request.headers.prefer),
    publicUrl: String(response.locals.publicUrl),
    onRepository: ({ id }: { id: bigint }) => {
      response.locals.repositoryId = id
    },
  }
  // The repository is named in the body. The slot is given back once that is read.
  const message = await slot.run(undefined, () => readJson(request, response, hasChanges))
  if (message === undefined) throw new AppError('invalid_json', 'A JSON body is required.')
  // The rate limit counts requests, and a batch is many in one. MCP removed batches in 2025.
  if (Array.isArray(message)) throw invalidField('body', 'invalid_type', 'must be one message: batches are not taken')
  let fault: unknown
  const onerror = (error: Error) => {
    fault = error
  }
  // Subscriptions are refused: the list of tools does not change while the service runs.
  const handler = createMcpHandler(() => buildServer(deps, caller), { onerror, maxSubscriptions: 0 })
  // The SDK needs neither the token nor the caller's Host header.
  const { authorization: _token, ...headers } = request.headers
  const asked = {
    method: 'POST',
    url: path,
    headers: { ...headers, ...accepting(request), host: 'headsup' },
    ...noStream,
  }
  const fetch: typeof handler.fetch = async (...call) => withApiErrors(await handler.fetch(...call), message, caller)
  await toNodeHandler({ fetch }, { onerror })(asked, response, message)
  if (response.statusCode >= 500) {
    deps.log.error({ request_id: caller.requestId, error: describeError(fault) }, 'request failed')
  }
}

const answers = ['application/json', 'text/event-stream']

/** The SDK requires both names in `Accept`. A wildcard stands for both. */
function accepting(request: Request) {
  return answers.every((type) => request.accepts(type)) ? { accept: answers.join(', ') } : {}
}

/** An empty stream: the body has been read already. */
const noStream = { async *[Symbol.asyncIterator]() {} }
