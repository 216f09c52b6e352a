import { shownPermissions } from '../permissions.ts'
import type { Call } from '../route.ts'
import type { Repository } from '../world.ts'
import { repositoryShape } from './repository.ts'

/** A repository with what the asking token may do to it. */
export function shownRepository(
  { world, links, token }: Pick<Call, 'world' | 'links' | 'token'>,
  repository: Repository,
) {
  const permissions = shownPermissions(token, repository)
  return { ...repositoryShape(world, repository, links), ...(permissions === undefined ? {} : { permissions }) }
}
