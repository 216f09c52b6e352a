/** The path of a repository's page, with a query. The page loads this file too, so it imports nothing. */
const repositoryPage = /^\/[A-Za-z0-9_-]{1,100}\/[A-Za-z0-9._-]{1,100}(\?[^\\\s]*)?$/

/** A longer address would not fit into the cookie of a sign-in. */
const mostCharacters = 1_000

/**
 * The page to show after signing in (docs/rules.md#sessions): the page of a repository, else the start page. Nothing else, so
 * that signing in leads to no other site, and to none of the service's own paths below `/-/`.
 */
export function returnPath(to: string | null | undefined): string {
  if (to === null || to === undefined || to.length > mostCharacters) return '/'
  return repositoryPage.test(to) && !to.startsWith('/-/') ? to : '/'
}
