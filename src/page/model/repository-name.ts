import { isRepositoryName } from '../../github/names.ts'
import type { RepositoryName } from '../../http/page-paths.ts'

/** The repository that a person means: `owner/repo`, or an address that ends so. */
export function readRepositoryName(text: string): RepositoryName | undefined {
  const [, owner = '', repo = ''] =
    /^(?:(?:https?:\/\/|git@)[^/:]+[/:])?\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(text.trim()) ?? []
  return isRepositoryName(owner, repo) ? { owner, repo } : undefined
}
