import type { Pull, Repository } from '../data.ts'
import { pageOf } from '../page.ts'
import { mayUse } from '../permissions.ts'
import { type Call, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import { pullShape, wholePullShape } from '../shapes/pull.ts'

export const pullRoutes: readonly RepositoryRoute[] = [
  { method: 'GET', path: '/pulls', handle: listPulls },
  { method: 'GET', path: '/pulls/{number}', handle: readPull },
]

function listPulls(call: Call, repository: Repository): Reply {
  const { data, links, token, url } = call
  if (!mayUse(data, token, repository, 'pull_requests', 'read')) return notAccessible(token)
  const parameter = (name: string) => url.searchParams.get(name)
  const state = parameter('state') ?? 'open'
  const head = parameter('head')
  const base = parameter('base')
  const found = repository.pulls
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => head === null || `${pull.headOwner}:${pull.head}`.toLowerCase() === head.toLowerCase())
    .filter((pull) => base === null || pull.base === base)
  const { items, headers } = pageOf(call, sorted(found, parameter('sort') ?? 'created', parameter('direction')))
  return { status: 200, headers, body: items.map((pull) => pullShape(data, repository, pull, links)) }
}

/** By creation the default is descending, otherwise ascending. */
function sorted(pulls: Pull[], sort: string, direction: string | null): Pull[] {
  const sign = (direction ?? (sort === 'created' ? 'desc' : 'asc')) === 'desc' ? -1 : 1
  const time = (pull: Pull) => (sort === 'updated' ? pull.updatedAt : pull.createdAt).getTime()
  return pulls.sort((left, right) => sign * (time(left) - time(right) || left.number - right.number))
}

function readPull({ data, links, token, params }: Call, repository: Repository): Reply {
  if (!mayUse(data, token, repository, 'pull_requests', 'read')) return notAccessible(token)
  const pull = repository.pulls.find(({ number }) => String(number) === params.number)
  return pull === undefined ? notFound() : { status: 200, body: wholePullShape(data, repository, pull, links) }
}
