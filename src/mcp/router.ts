import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Request, type Response, Router } from 'express'
import { AppError, invalidField } from '../errors.ts'
import { bearerToken } from '../http/middleware/bearer-token.ts'
import { describeError } from '../http/middleware/describe-error.ts'
import { methodNotAllowed } from '../http/middleware/method-not-allowed.ts'
import { readJson } from '../http/middleware/read-body.ts'
import type { SlowReaders } from '../http/server/slow-readers.ts'
import type { McpDeps } from './call-tool.ts'
import { isForeignOrigin } from './origin.ts'
import { inOurWords } from './protocol-refusal.ts'
import { buildServer } from './server.ts'

const path = '/mcp'

/** MCP over Streamable HTTP, without sessions: each request brings its own token, and is served by itself. */
export function mcpRouter(deps: McpDeps, unread: SlowReaders): Router {
  const router = Router({ caseSensitive: true })
  const route = router.route(path)
  route.all((request, response, next) => {
    response.locals.route = path
    if (isForeignOrigin(request.headers.origin, request.headers.host)) {
      throw new AppError('forbidden', 'Pages of another origin may not call this.')
    }
    next()
  })
  route.post(async (request, response) => {
    await serve(deps, request, response)
    unread.watch(response)
  })
  route.all(methodNotAllowed('POST'))
  return router
}

async function serve(deps: McpDeps, request: Request, response: Response): Promise<void> {
  const token = bearerToken(request.headers.authorization)
  const turn = deps.turnOf(request, response, token)
  const caller = {
    token,
    turn,
    clientAddress: request.socket.remoteAddress ?? '',
    requestId: String(response.locals.requestId),
    onRepository: ({ id }: { id: bigint }) => {
      response.locals.repositoryId = id
    },
  }
  // The repository is named in the body. The slot is given back once that is read.
  const message = await turn.inSlot(undefined, () => readJson(request, response))
  if (message === undefined) throw new AppError('invalid_json', 'A JSON body is required.')
  // A batch is many requests in the place of one. The protocol gave them up in 2025, and no client is known to send any.
  if (Array.isArray(message)) throw invalidField('body', 'invalid_type', 'must be one message: batches are not taken')
  let fault: unknown
  const onerror = (error: Error) => {
    fault = error
  }
  // Streams of subscriptions are refused: nothing here changes while the service runs.
  const handler = createMcpHandler(() => buildServer(deps, caller), { onerror, maxSubscriptions: 0 })
  // The protocol needs neither the token nor whatever a caller calls the host.
  const { authorization: _token, ...headers } = request.headers
  const asked = {
    method: 'POST',
    url: path,
    headers: { ...headers, ...accepting(request), host: 'headsup' },
    ...noStream,
  }
  const fetch: typeof handler.fetch = async (...call) =>
    inOurWords(await handler.fetch(...call), message, caller.requestId)
  await toNodeHandler({ fetch }, { onerror })(asked, response, message)
  if (response.statusCode >= 500) {
    deps.log.error({ request_id: caller.requestId, error: describeError(fault) }, 'request failed')
  }
}

const answers = ['application/json', 'text/event-stream']

/** The SDK looks for the names of both types; whoever takes any type takes them too. */
function accepting(request: Request) {
  return answers.every((type) => request.accepts(type)) ? { accept: answers.join(', ') } : {}
}

/** The body has been read. */
const noStream = { async *[Symbol.asyncIterator]() {} }
