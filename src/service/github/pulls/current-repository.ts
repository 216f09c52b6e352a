import { parseRepositoryResponse, type VisibleRepository } from '../access/parse-access-response.ts'
import {
  otherRepository,
  type RepositoryToRead,
  routeParameters,
  type SendRequest,
  UnusableResponse,
} from './read-response.ts'

/**
 * Reads the current names and default branch of a repository. Throws `UnusableResponse`, also if it is hidden from the token,
 * or if its name belongs to another repository now.
 */
export async function readCurrentRepository(
  request: SendRequest,
  repository: RepositoryToRead,
): Promise<VisibleRepository> {
  const response = await request({ route: 'GET /repos/{owner}/{repo}', parameters: routeParameters(repository) })
  const result = parseRepositoryResponse(response, null, 0)
  if (result.kind === 'invisible') throw new UnusableResponse(response, 'the repository is not visible')
  if (result.kind !== 'visible') throw new UnusableResponse(response, 'reason' in result ? result.reason : undefined)
  if (result.repository.id === repository.id) return result.repository
  throw new UnusableResponse(otherRepository)
}
