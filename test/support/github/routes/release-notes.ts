import { mayUse } from '../permissions.ts'
import { invalid, notAccessible, notFound, type RepositoryRoute } from '../route.ts'

/** Needs `contents: write`, and saves nothing. */
export const releaseNotesRoute: RepositoryRoute = {
  method: 'POST',
  path: '/releases/generate-notes',
  handle({ world, links, token, body }, repository) {
    if (!mayUse(world, token, repository, 'contents', 'write')) {
      // To a classic token without the role, GitHub hides the route; of the others it says what they lack.
      return token === null || token.grants === null ? notFound() : notAccessible(token)
    }
    const tag = tagOf(body)
    if (tag === null) return invalid('Invalid request.\n\n"tag_name" wasn\'t supplied.')
    const compare = `${links.web}/${repository.owner}/${repository.name}/commits/${tag}`
    return { status: 200, body: { name: tag, body: `**Full Changelog**: ${compare}` } }
  },
}

function tagOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('tag_name' in body)) return null
  return typeof body.tag_name === 'string' ? body.tag_name : null
}
