import { Router } from 'express'
import { version } from '../../../lib/version.ts'
import { methodNotAllowed } from '../middleware/method-not-allowed.ts'
import { sendJson } from '../middleware/send-json.ts'

export interface ServiceInfoDeps {
  githubServerUrl: string
  /** The address for clients. */
  publicUrl(): string
}

/** Serves `GET /api/v1`: what this service is, without a token (docs/rules.md#service-information). */
export function serviceInfoRouter({ githubServerUrl, publicUrl }: ServiceInfoDeps): Router {
  const router = Router({ caseSensitive: true })
  const route = router.route('/api/v1')
  route.get((_request, response) => {
    sendJson(response, { name: 'headsup', version, github_server_url: githubServerUrl, public_url: publicUrl() })
  })
  route.all(methodNotAllowed('GET, HEAD'))
  return router
}
