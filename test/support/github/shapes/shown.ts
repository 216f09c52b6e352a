import type { Repository } from '../data.ts'
import { shownPermissions } from '../permissions.ts'
import type { Call } from '../route.ts'
import { repositoryShape } from './repository.ts'

/** A repository with the permissions of the token. */
export function shownRepository(
  { data, links, token }: Pick<Call, 'data' | 'links' | 'token'>,
  repository: Repository,
) {
  const permissions = shownPermissions(token, repository)
  return { ...repositoryShape(data, repository, links), ...(permissions === undefined ? {} : { permissions }) }
}
