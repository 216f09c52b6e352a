import { mayUse } from '../permissions.ts'
import { invalid, notAccessible, notFound, type RepositoryRoute } from '../route.ts'

/** Needs `contents: write`, and saves nothing. */
export const releaseNotesRoute: RepositoryRoute = {
  method: 'POST',
  path: '/releases/generate-notes',
  handle({ data, links, token, body }, repository) {
    if (!mayUse(data, token, repository, 'contents', 'write')) {
      // GitHub answers 404 to a classic token without the role, and 403 with the missing permission to other tokens.
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
