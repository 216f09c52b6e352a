import { findAccount } from '../data.ts'
import type { RepositoryRoute } from '../route.ts'
import { accountShape } from '../shapes/account.ts'
import { shownRepository } from '../shapes/shown.ts'

export const repositoryRoute: RepositoryRoute = {
  method: 'GET',
  path: '',
  handle(call, repository) {
    const owner = findAccount(call.data, repository.owner)
    const body = {
      ...shownRepository(call, repository),
      ...(owner?.type === 'Organization' ? { organization: accountShape(owner, call.links) } : {}),
      network_count: 0,
      subscribers_count: 0,
    }
    return { status: 200, body }
  },
}
