import type { Repository } from '../data.ts'
import { pageOf } from '../page.ts'
import { mayUse } from '../permissions.ts'
import type { Pull } from '../pull-data.ts'
import { type Call, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import { pullShape, wholePullShape } from '../shapes/pull.ts'
import { pullCommitShape, pullFileShape } from '../shapes/pull-parts.ts'

/** GitHub lists no more than these. */
const mostFiles = 3_000
const mostCommits = 250

export const pullRoutes: readonly RepositoryRoute[] = [
  { method: 'GET', path: '/pulls', handle: readable(listPulls) },
  { method: 'GET', path: '/pulls/{number}', handle: ofPull(readPull) },
  { method: 'GET', path: '/pulls/{number}/files', handle: ofPull(listFiles) },
  { method: 'GET', path: '/pulls/{number}/commits', handle: ofPull(listCommits) },
]

function readable(handle: RepositoryRoute['handle']): RepositoryRoute['handle'] {
  return (call, repository) =>
    mayUse(call.data, call.token, repository, 'pull_requests', 'read')
      ? handle(call, repository)
      : notAccessible(call.token)
}

function ofPull(handle: (call: Call, repository: Repository, pull: Pull) => Reply): RepositoryRoute['handle'] {
  return readable((call, repository) => {
    const pull = repository.pulls.find(({ number }) => String(number) === call.params.number)
    return pull === undefined ? notFound() : handle(call, repository, pull)
  })
}

/** GitHub ignores a `head` without an owner, as in `head=feat`. */
function listPulls(call: Call, repository: Repository): Reply {
  const { data, links, url } = call
  const parameter = (name: string) => url.searchParams.get(name)
  const state = parameter('state') ?? 'open'
  const head = parameter('head')?.includes(':') ? parameter('head') : null
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

function readPull({ data, links }: Call, repository: Repository, pull: Pull): Reply {
  return { status: 200, body: wholePullShape(data, repository, pull, links) }
}

function listFiles(call: Call, repository: Repository, pull: Pull): Reply {
  const { items, headers } = pageOf(call, pull.files.slice(0, mostFiles))
  return { status: 200, headers, body: items.map((file) => pullFileShape(repository, pull, file, call.links)) }
}

/** Oldest first. */
function listCommits(call: Call, repository: Repository, pull: Pull): Reply {
  const listed = pull.commits.slice(0, mostCommits).map((commit, index) => ({
    commit,
    parent: pull.commits[index - 1]?.sha ?? pull.baseSha,
  }))
  const { items, headers } = pageOf(call, listed)
  const { data, links } = call
  const body = items.map(({ commit, parent }) => pullCommitShape(data, repository, commit, parent, links))
  return { status: 200, headers, body }
}
