import { shownPermissions } from '../permissions.ts'
import type { RepositoryRoute } from '../route.ts'
import { accountShape } from '../shapes/account.ts'
import { repositoryShape } from '../shapes/repository.ts'
import { findAccount } from '../world.ts'

export const repositoryRoute: RepositoryRoute = {
  method: 'GET',
  path: '',
  handle({ world, links, token }, repository) {
    const permissions = shownPermissions(token, repository)
    const owner = findAccount(world, repository.owner)
    const body = {
      ...repositoryShape(world, repository, links),
      ...(permissions === undefined ? {} : { permissions }),
      ...(owner?.type === 'Organization' ? { organization: accountShape(owner, links) } : {}),
      network_count: 0,
      subscribers_count: 0,
    }
    return { status: 200, body }
  },
}
