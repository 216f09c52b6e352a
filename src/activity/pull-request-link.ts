import type { Context } from '../context.ts'
import { parsePullRequestUrl } from './pull-request-url.ts'
import type { ActivityRow } from './store.ts'

export type LinkColumns = Pick<ActivityRow, 'pr_url' | 'pr_repository_id' | 'pr_number' | 'pr_event_at'>

export const noLink: LinkColumns = { pr_url: null, pr_repository_id: null, pr_number: null, pr_event_at: null }

/**
 * The columns of a pull request link. A link into the caller's own repository is matched by id and number. For another
 * repository GitHub is asked whether the caller's token can see it; if not, the link stays a plain link
 * (docs/rules.md#pull-request-links). Throws `validation_failed`, and `github_unavailable` or `github_rate_limited` if
 * GitHub does not answer.
 */
export async function resolveLink(context: Context, text: string): Promise<LinkColumns> {
  const link = parsePullRequestUrl(text, context.githubServerUrl)
  const { owner, name, id } = context.repository
  const isOwn = sameName(link.owner, owner) && sameName(link.repo, name)
  const repositoryId = isOwn ? id : await context.lookUpRepository(link.owner, link.repo)
  if (repositoryId === null) return { ...noLink, pr_url: link.url }
  return { ...noLink, pr_url: link.url, pr_repository_id: repositoryId, pr_number: link.number }
}

/** GitHub's names compare without regard to case. */
function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
