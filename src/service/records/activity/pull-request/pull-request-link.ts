import { invalidField } from '../../../../core/errors.ts'
import { repositoryNameKey } from '../../../../core/repository-names.ts'
import type { Context } from '../../../context.ts'
import type { ActivityRow } from '../activities.sql.ts'

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
  const isOwn = repositoryNameKey(link.owner, link.repo) === repositoryNameKey(owner, name)
  const repositoryId = isOwn ? id : await context.lookUpRepository(link.owner, link.repo)
  if (repositoryId === null) return { ...noLink, pr_url: link.url }
  return { ...noLink, pr_url: link.url, pr_repository_id: repositoryId, pr_number: link.number }
}

export interface PullRequestLink {
  owner: string
  repo: string
  number: number
  /** The canonical URL, which ends with the number. */
  url: string
}

const largestNumber = 2_147_483_647

/** White space and backslashes, which URL parsers repair, and dot segments, which they resolve: parsers may disagree. */
const ambiguous = /[\s\\]|%2e|\/\.{1,2}(?:[/?#]|$)/i

/**
 * Parses the `https` URL of a pull request on the configured GitHub server (docs/rules.md#pull-request-links). Throws
 * `validation_failed`.
 */
export function parsePullRequestUrl(text: string, serverUrl: string): PullRequestLink {
  const server = new URL(serverUrl)
  const invalidUrl = () =>
    invalidField(
      'pr_url',
      'invalid_value',
      `must be a pull request's URL such as https://${server.host}/owner/repo/pull/1`,
    )
  if (!URL.canParse(text) || ambiguous.test(text)) throw invalidUrl()
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.host !== server.host || url.username || url.password) throw invalidUrl()
  const path = /^\/([A-Za-z0-9_-]{1,100})\/([A-Za-z0-9._-]{1,100})\/pull\/([1-9]\d{0,9})(?:\/.*)?$/.exec(url.pathname)
  const [, owner = '', repo = '', digits = ''] = path ?? []
  const number = Number(digits)
  if (!path || repo === '.' || repo === '..') throw invalidUrl()
  if (number > largestNumber) throw invalidField('pr_url', 'invalid_value', `has a number over ${largestNumber}`)
  return { owner, repo, number, url: `https://${server.host}/${owner}/${repo}/pull/${number}` }
}
