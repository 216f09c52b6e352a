import type { Octokit } from '@octokit/rest'
import { errorToResponse, type GithubResponse } from './github-response.ts'

/** The version of GitHub's REST API that every request names. */
export const apiVersion = '2022-11-28'

const header = 'x-github-api-version'

/**
 * Names the version in each request of this Octokit (docs/rules.md#github-api-version). A request that GitHub refuses for it
 * is sent once more without.
 */
export function nameApiVersion(octokit: Pick<Octokit, 'hook'>): void {
  octokit.hook.wrap('request', async (request, options) => {
    options.headers[header] = apiVersion
    try {
      return await request(options)
    } catch (error) {
      if (!refusesVersion(errorToResponse(error))) throw error
      delete options.headers[header]
      return await request(options)
    }
  })
}

/** Whether GitHub refused the request because of the version that it named. */
export function refusesVersion(response: GithubResponse): boolean {
  if (response.kind !== 'response' || response.status !== 400) return false
  return /api[- ]version/i.test(JSON.stringify(response.body) ?? '')
}
