import { createGithubRequest, type GithubRequestOptions, type GithubResponse } from '../github-request.ts'

export interface GithubClient {
  /** `GET /repos/{owner}/{repo}`; `etag` makes it conditional. Never throws. */
  readRepository(question: { token: string; owner: string; repo: string; etag: string | null }): Promise<GithubResponse>
  /**
   * `POST …/releases/generate-notes`: needs `contents: write`, saves nothing (docs/rules.md#write-probe). Never throws.
   */
  generateNotes(question: {
    token: string
    owner: string
    repo: string
    defaultBranch: string
  }): Promise<GithubResponse>
}

/** Asks GitHub with the caller's token. One question, redirects and body included, ends after `timeLimitMs`. No retries. */
export function createGithubClient(options: GithubRequestOptions): GithubClient {
  const ask = createGithubRequest(options)
  return {
    readRepository: ({ token, owner, repo, etag }) =>
      ask({ route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo }, token, etag }, 'caller'),
    generateNotes: ({ token, owner, repo, defaultBranch }) =>
      ask(
        {
          route: 'POST /repos/{owner}/{repo}/releases/generate-notes',
          parameters: { owner, repo, tag_name: 'headsup-check', target_commitish: defaultBranch },
          token,
        },
        'caller',
      ),
  }
}
