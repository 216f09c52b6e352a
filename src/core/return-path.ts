import { repositoryOfPath } from './page-paths.ts'

/** A longer address would not fit into the cookie of a sign-in. */
const mostCharacters = 1_000

/**
 * The page to show after signing in (docs/rules.md#sessions): the page of a repository, else the start page. Nothing else, so
 * that signing in leads to no other site, and to none of the service's other paths.
 */
export function returnPath(to: string | null | undefined): string {
  if (to === null || to === undefined || to.length > mostCharacters) return '/'
  const [, path = ''] = /^([^?]*)(?:\?[^\\\s]*)?$/.exec(to) ?? []
  return repositoryOfPath(path) ? to : '/'
}
