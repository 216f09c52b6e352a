import type { Repository } from '../data.ts'
import { pageOf } from '../page.ts'
import { mayUse } from '../permissions.ts'
import { type Call, failure, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import { branchShape, refShape, wholeBranchShape } from '../shapes/branch.ts'

export const branchRoutes: readonly RepositoryRoute[] = [
  { method: 'GET', path: '/branches', handle: readable(listBranches) },
  { method: 'GET', path: '/branches/{+branch}', handle: readable(readBranch) },
  { method: 'GET', path: '/git/matching-refs/{+ref}', handle: readable(listRefs) },
  { method: 'GET', path: '/git/ref/{+ref}', handle: readable(readRef) },
]

function readable(handle: RepositoryRoute['handle']): RepositoryRoute['handle'] {
  return (call, repository) =>
    mayUse(call.data, call.token, repository, 'contents', 'read') ? handle(call, repository) : notAccessible(call.token)
}

/** Sorted by name, as in git. */
function branchesOf({ branches }: Repository): [string, string][] {
  return [...branches].sort(([left], [right]) => (left < right ? -1 : 1))
}

function listBranches(call: Call, repository: Repository): Reply {
  const { items, headers } = pageOf(call, branchesOf(repository))
  return { status: 200, headers, body: items.map(([name, sha]) => branchShape(repository, name, sha, call.links)) }
}

function readBranch({ links, params }: Call, repository: Repository): Reply {
  const name = params.branch ?? ''
  const sha = repository.branches.get(name)
  if (sha === undefined) return failure(404, 'Branch not found')
  return { status: 200, body: wholeBranchShape(repository, name, sha, links) }
}

/** Every branch whose name has this prefix. */
function listRefs({ links, params }: Call, repository: Repository): Reply {
  const found = branchesOf(repository).filter(([name]) => `heads/${name}`.startsWith(params.ref ?? ''))
  return { status: 200, body: found.map(([name, sha]) => refShape(repository, name, sha, links)) }
}

function readRef({ links, params }: Call, repository: Repository): Reply {
  const name = (params.ref ?? '').replace(/^heads\//, '')
  const sha = repository.branches.get(name)
  return sha === undefined ? notFound() : { status: 200, body: refShape(repository, name, sha, links) }
}
