import { randomBytes } from 'node:crypto'
import { type Request, Router } from 'express'
import type { GithubData } from './data.ts'
import { notFound } from './repository-routes.ts'
import { installationShape, repositoryShape } from './shapes.ts'

/** What the App and its registration ask for. JSON web tokens are taken as they are. */
export function appRoutes(data: GithubData, tokenOf: (request: Request) => string, web: () => string): Router {
  const router = Router()
  router.get('/app', (_request, response) => {
    response.json({ id: 1, slug: 'headsup', name: 'Headsup', html_url: `${web()}/apps/headsup` })
  })
  router.get('/app/installations', (_request, response) => {
    response.json([...data.installations.values()].map((one) => installationShape(one, web())))
  })
  router.get('/app/installations/:id', ({ params }, response) => {
    const installation = data.installations.get(Number(params.id))
    if (installation) response.json(installationShape(installation, web()))
    else notFound(response)
  })
  router.post('/app/installations/:id/access_tokens', ({ params }, response) => {
    const installation = data.installations.get(Number(params.id))
    if (!installation) return notFound(response)
    if (installation.isSuspended) return void response.status(403).json({ message: 'This installation is suspended' })
    const token = `ghs_${installation.id}_${randomBytes(8).toString('hex')}`
    data.tokens.set(token, null)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    response.status(201).json({ token, expires_at, permissions: installation.permissions })
  })
  router.get('/installation/repositories', (request, response) => {
    const ids = data.installations.get(installationOf(tokenOf(request)) ?? 0)?.repositories ?? []
    const repositories = data.repositories.filter(({ id }) => ids.includes(id)).map(repositoryShape)
    response.json({ total_count: repositories.length, repositories })
  })
  router.get('/app/hook/deliveries', (_request, response) => {
    response.json(data.deliveries.map(({ payload: _, ...delivery }) => ({ ...delivery, redelivery: false })))
  })
  router.post('/app-manifests/:code/conversions', (_request, response) => {
    response.status(201).json({
      ...{ id: 1, slug: 'headsup', name: 'Headsup', client_id: 'Iv1.stand-in', client_secret: 'client-secret' },
      ...{ webhook_secret: 'webhook-secret', pem: 'private key', html_url: 'https://github.com/apps/headsup' },
    })
  })
  return router
}

/** The id of the installation stands in its tokens. */
export function installationOf(token: string): number | null {
  const [, id] = /^ghs_(\d+)_/.exec(token) ?? []
  return id === undefined ? null : Number(id)
}
