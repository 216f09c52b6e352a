import express, { type Express, type RequestHandler, Router } from 'express'

import { type AuthorizeParts, createAuthorize } from './api/authorize.ts'
import { readBody } from './api/body.ts'
import { handleErrors, unknownPath } from './api/errors.ts'
import { mcpEndpoint, ownOrigin, withToken } from './api/mcp.ts'
import { openApiDocument } from './api/openapi.ts'
import { allOperations } from './api/operations/index.ts'
import { probes } from './api/probes.ts'
import { htmlErrors, publicPages } from './api/public.ts'
import { aMinute, atOnce, logged, withRequestId } from './api/request.ts'
import { apiRouter, only } from './api/router.ts'
import { createSignIn } from './api/sign-in/session.ts'
import type { Config } from './config.ts'
import { webhookPath } from './github/app/webhook-path.ts'
import type { Streams } from './live/send-versions.ts'
import { version } from './version.ts'

interface Parts extends AuthorizeParts {
  config: Config
  streams: Streams
  /** Of all sessions in a browser. */
  sessionKey: Uint8Array
  /** Whether the database answers, and the service does not stop. */
  isReady(): Promise<boolean>
  /** For deliveries of GitHub; absent without the App. */
  webhooks: RequestHandler[] | undefined
}

/** All routes, in the order in which a request meets them. */
export function createApp({ config, streams, sessionKey, isReady, webhooks, ...parts }: Parts): Express {
  const { log, callers } = parts
  const operations = allOperations(streams)
  const authorize = createAuthorize(parts)
  const signIn = createSignIn({ ...config, key: sessionKey, log })
  const { credentials } = signIn
  const limit = aMinute(config.requestsAMinute, 'requests of a token', (_request, { locals }) =>
    String(locals.limitKey),
  )

  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('query parser', 'simple')
  app.set('trust proxy', config.trustedProxies)
  app.use(withRequestId, probes(isReady))
  app.all(['/healthz', '/readyz'], only(['GET', 'HEAD']))
  app.use(logged(log), atOnce(config.requestsAtOnce))
  const openApi = openApiDocument(operations, version)
  app.use(aboutService(config, openApi))
  if (webhooks)
    app
      .route(webhookPath)
      .post(webhooks)
      .all(only(['POST']))
  app.use('/api/v1', apiRouter(operations, { authorize, credentials, limit }))
  const mcp = [withToken(callers.keyOf), limit, readBody('256kb'), mcpEndpoint(operations, authorize, log)]
  app.post('/mcp', ownOrigin(ownHosts(config)), ...mcp)
  app.all('/mcp', only(['POST']))
  app.use(signIn.router, publicPages(openApi))
  app.use(unknownPath)
  app.use(htmlErrors(log), handleErrors(log))
  return app
}

/** What needs no token: which service this is, of which GitHub, and what it can do. */
function aboutService({ githubServerUrl, publicUrl }: Config, document: object): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const service = { name: 'headsup', version, github_server_url: githubServerUrl, public_url: publicUrl }
  router.get('/api/v1', (_request, response) => void response.json(service))
  router.get('/api/v1/openapi.json', (_request, response) => void response.json(document))
  router.all(['/api/v1', '/api/v1/openapi.json'], only(['GET', 'HEAD']))
  return router
}

function ownHosts({ publicUrl }: Config): string[] {
  return [new URL(publicUrl ?? 'http://localhost').hostname, 'localhost', '127.0.0.1', '[::1]']
}
