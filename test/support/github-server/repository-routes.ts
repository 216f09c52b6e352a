import { type Request, type Response, Router } from 'express'
import { type CheckRun, type GithubData, newSha, nextId, type Pull, type Repository } from './data.ts'
import { checkRunShape, commitShape, fullName, pullShape, repositoryShape } from './shapes.ts'

type Handler = (request: Request, response: Response, repository: Repository) => void

/** Who asks: an account, an installation, or nobody. */
export interface Caller {
  login: string | null
  installationId: number | null
}

/** The routes of a repository, each for whoever may see it. */
export function repositoryRoutes(data: GithubData, callerOf: (request: Request) => Caller, web: () => string): Router {
  const router = Router()
  const of = (handler: Handler) => (request: Request, response: Response) => {
    const name = `${request.params.owner}/${request.params.repo}`.toLowerCase()
    const repository = data.repositories.find((one) => fullName(one).toLowerCase() === name)
    if (!repository || !maySee(data, callerOf(request), repository)) notFound(response)
    else handler(request, response, repository)
  }
  const ofPull = (handler: (request: Request, response: Response, repository: Repository, pull: Pull) => void) =>
    of((request, response, repository) => {
      const pull = repository.pulls.find(({ number }) => number === Number(request.params.number))
      if (pull) handler(request, response, repository, pull)
      else notFound(response)
    })
  const at = '/repos/:owner/:repo'
  router.get(
    at,
    of((request, response, repository) => {
      const parent = data.repositories.find((one) => fullName(one) === repository.parent)
      const permissions = permissionsOf(callerOf(request), repository)
      const fork = parent ? { parent: repositoryShape(parent) } : {}
      response.json({ ...repositoryShape(repository), permissions, ...fork })
    }),
  )
  router.post(
    `${at}/releases/generate-notes`,
    of((request, response, repository) => {
      if (permissionsOf(callerOf(request), repository).push) response.json({ name: 'v1', body: '' })
      else response.status(403).json({ message: 'Resource not accessible' })
    }),
  )
  router.get(
    `${at}/pulls`,
    of((request, response, repository) => {
      const { state = 'open', head, direction = 'desc', sort } = request.query
      const found = repository.pulls
        .filter((pull) => state === 'all' || pull.state === state)
        .filter((pull) => head === undefined || head === `${pull.head.owner}:${pull.head.branch}`)
      const by = sort === 'updated' ? (pull: Pull) => pull.updatedAt : (pull: Pull) => pull.openedAt
      const sorted = found.toSorted((a, b) => by(a).getTime() - by(b).getTime())
      if (direction === 'desc') sorted.reverse()
      page(request, response, sorted, (pull) => pullShape(data, repository, pull, web()))
    }),
  )
  router.get(
    `${at}/pulls/:number`,
    ofPull((_request, response, repository, pull) => response.json(pullShape(data, repository, pull, web()))),
  )
  router.get(
    `${at}/pulls/:number/files`,
    ofPull((request, response, _repository, { files }) => {
      page(request, response, files.slice(0, 3_000), (file) => ({ ...file, sha: newSha() }))
    }),
  )
  router.get(
    `${at}/pulls/:number/commits`,
    ofPull((request, response, _repository, { commits }) => {
      page(request, response, commits.slice(0, 250), commitShape)
    }),
  )
  router.get(
    `${at}/contents/*path`,
    of((request, response, { files }) => {
      const path = [request.params.path].flat().join('/')
      const text = files.get(path)
      if (text === undefined) return notFound(response)
      if (/raw/.test(request.get('accept') ?? '')) return void response.type('text/plain').send(text)
      const content = Buffer.from(text).toString('base64')
      response.json({ type: 'file', path, size: Buffer.byteLength(text), encoding: 'base64', content, sha: newSha() })
    }),
  )
  checkRunRoutes(router, at, of)
  return router
}

function checkRunRoutes(router: Router, at: string, of: (handler: Handler) => (a: Request, b: Response) => void) {
  router.post(
    `${at}/check-runs`,
    of(({ body }, response, { checkRuns }) => {
      const run: CheckRun = { ...body, id: nextId() }
      checkRuns.push(run)
      response.status(201).json(checkRunShape(run))
    }),
  )
  router.patch(
    `${at}/check-runs/:id`,
    of(({ body, params }, response, { checkRuns }) => {
      const run = checkRuns.find(({ id }) => id === Number(params.id))
      if (!run) return notFound(response)
      Object.assign(run, body)
      response.json(checkRunShape(run))
    }),
  )
  router.patch(
    `${at}/check-suites/preferences`,
    of((_request, response) => void response.json({ preferences: { auto_trigger_checks: [] } })),
  )
}

function maySee(data: GithubData, { login, installationId }: Caller, repository: Repository): boolean {
  if (installationId !== null)
    return data.installations.get(installationId)?.repositories.includes(repository.id) ?? false
  return !repository.isPrivate || (login !== null && repository.roles.has(login))
}

function permissionsOf({ login }: Caller, { roles, isPrivate }: Repository) {
  const role = login === null ? undefined : roles.get(login)
  const pull = role !== undefined || !isPrivate
  return { admin: false, maintain: false, push: role === 'write', triage: role === 'write', pull }
}

/** One page, with the header that leads to the next one. */
function page<Item>(request: Request, response: Response, all: Item[], shape: (item: Item) => object): void {
  const size = Number(request.query.per_page ?? 30)
  const number = Number(request.query.page ?? 1)
  if (all.length > size * number) {
    const next = new URL(request.originalUrl, `${request.protocol}://${request.get('host')}`)
    next.searchParams.set('page', String(number + 1))
    response.set('Link', `<${next.href}>; rel="next"`)
  }
  response.json(all.slice(size * (number - 1), size * number).map(shape))
}

export function notFound(response: Response): void {
  response.status(404).json({ message: 'Not Found' })
}
