import { pageOf } from '../page.ts'
import { mayUse } from '../permissions.ts'
import { type Call, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import { pullShape, wholePullShape } from '../shapes/pull.ts'
import type { Pull, Repository } from '../world.ts'

export const pullRoutes: readonly RepositoryRoute[] = [
  { method: 'GET', path: '/pulls', handle: listPulls },
  { method: 'GET', path: '/pulls/{number}', handle: readPull },
]

function listPulls(call: Call, repository: Repository): Reply {
  const { world, links, token, url } = call
  if (!mayUse(world, token, repository, 'pull_requests', 'read')) return notAccessible(token)
  const asked = (name: string) => url.searchParams.get(name)
  const state = asked('state') ?? 'open'
  const head = asked('head')
  const base = asked('base')
  const found = repository.pulls
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => head === null || `${pull.headOwner}:${pull.head}`.toLowerCase() === head.toLowerCase())
    .filter((pull) => base === null || pull.base === base)
  const { items, headers } = pageOf(call, sorted(found, asked('sort') ?? 'created', asked('direction')))
  return { status: 200, headers, body: items.map((pull) => pullShape(world, repository, pull, links)) }
}

/** Descending where sorted by creation and nothing else was asked for, else ascending. */
function sorted(pulls: Pull[], sort: string, direction: string | null): Pull[] {
  const sign = (direction ?? (sort === 'created' ? 'desc' : 'asc')) === 'desc' ? -1 : 1
  const time = (pull: Pull) => (sort === 'updated' ? pull.updatedAt : pull.createdAt).getTime()
  return pulls.sort((left, right) => sign * (time(left) - time(right) || left.number - right.number))
}

function readPull({ world, links, token, params }: Call, repository: Repository): Reply {
  if (!mayUse(world, token, repository, 'pull_requests', 'read')) return notAccessible(token)
  const pull = repository.pulls.find(({ number }) => String(number) === params.number)
  return pull === undefined ? notFound() : { status: 200, body: wholePullShape(world, repository, pull, links) }
}
