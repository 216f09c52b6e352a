import type { RepositoryRoute } from '../route.ts'
import { accountShape } from '../shapes/account.ts'
import { shownRepository } from '../shapes/shown.ts'
import { findAccount } from '../world.ts'

export const repositoryRoute: RepositoryRoute = {
  method: 'GET',
  path: '',
  handle(call, repository) {
    const owner = findAccount(call.world, repository.owner)
    const body = {
      ...shownRepository(call, repository),
      ...(owner?.type === 'Organization' ? { organization: accountShape(owner, call.links) } : {}),
      network_count: 0,
      subscribers_count: 0,
    }
    return { status: 200, body }
  },
}
