import { createOctokit, type GithubRequestOptions, sendRequest } from '../github-request.ts'
import type { GithubResponse } from '../github-response.ts'

export interface GithubClient {
  /** `GET /repos/{owner}/{repo}`; `etag` makes it conditional. Never throws. */
  readRepository(request: { token: string; owner: string; repo: string; etag: string | null }): Promise<GithubResponse>
  /** `GET /user`. Never throws. */
  readUser(token: string): Promise<GithubResponse>
  /** `GET …/pulls?per_page=1`. Never throws. */
  listOnePullRequest(request: { token: string; owner: string; repo: string }): Promise<GithubResponse>
  /**
   * `POST …/releases/generate-notes`: needs `contents: write`, saves nothing (docs/rules.md#write-probe). Never throws.
   */
  generateNotes(request: { token: string; owner: string; repo: string; defaultBranch: string }): Promise<GithubResponse>
}

/** Sends requests with the caller's token. One request, redirects and body included, ends after `timeLimitMs`. No retries. */
export function createGithubClient(options: GithubRequestOptions): GithubClient {
  const octokit = createOctokit(options, 'caller')
  return {
    readRepository: ({ token, owner, repo, etag }) =>
      sendRequest(octokit, { route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, token, etag }),
    readUser: (token) => sendRequest(octokit, { route: 'GET /user', token }),
    listOnePullRequest: ({ token, owner, repo }) =>
      sendRequest(octokit, {
        route: 'GET /repos/{owner}/{repo}/pulls',
        parameters: { owner, repo, per_page: 1 },
        token,
      }),
    generateNotes: ({ token, owner, repo, defaultBranch }) =>
      sendRequest(octokit, {
        route: 'POST /repos/{owner}/{repo}/releases/generate-notes',
        parameters: { owner, repo, tag_name: 'headsup-check', target_commitish: defaultBranch },
        token,
      }),
  }
}
