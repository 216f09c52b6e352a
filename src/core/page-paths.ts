import { isRepositoryName } from './repository-names.ts'

/** First segments of the service's other paths. A repository of such an owner has its page at `/-/r/OWNER/REPO` (docs/rules.md#pages-for-browsers). */
const reservedOwners = new Set(['api', 'docs', 'mcp', 'metrics', 'healthz', 'readyz'])

export interface RepositoryOfPage {
  owner: string
  repo: string
}

/** Whether this owner's repositories need the longer address: `/OWNER/REPO` could be another path of the service. */
function isReservedOwner(owner: string): boolean {
  return reservedOwners.has(owner.toLowerCase()) || owner.startsWith('-')
}

/** The path of a repository's page. */
export function pagePathOf({ owner, repo }: RepositoryOfPage): string {
  return isReservedOwner(owner) ? `/-/r/${owner}/${repo}` : `/${owner}/${repo}`
}

/** The repository whose page has this path; undefined for every other path. */
export function repositoryOfPath(path: string): RepositoryOfPage | undefined {
  const [, prefix, owner = '', repo = ''] = /^(\/-\/r)?\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (!isRepositoryName(owner, repo)) return undefined
  return prefix === undefined && isReservedOwner(owner) ? undefined : { owner, repo }
}

/** The repository that a text names: `owner/repo`, or an address that ends with it. */
export function repositoryInText(text: string): RepositoryOfPage | undefined {
  const [, owner = '', repo = ''] =
    /^(?:(?:https?:\/\/|git@)[^/:]+[/:])?\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(text.trim()) ?? []
  return isRepositoryName(owner, repo) ? { owner, repo } : undefined
}
