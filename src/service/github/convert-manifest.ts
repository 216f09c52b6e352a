import { ProbotOctokit } from 'probot'
import { createApiFetch } from './api-fetch.ts'
import { nameApiVersion } from './api-version.ts'
import { describeNoAnswer, noAnswerBehind } from './no-answer.ts'

// Octokit's log lines hold the route, and so the code.
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** How long the request may take, in ms. */
const timeLimitMs = 10_000

/**
 * Exchanges the code of a registered manifest for the new App: its id, key and secrets. A code works once, so there are no
 * retries. Throws an error whose message holds neither the code nor the response.
 */
export async function convertManifest(apiUrl: string, code: string): Promise<unknown> {
  const octokit = new ProbotOctokit({
    baseUrl: apiUrl,
    log: silent,
    retry: { enabled: false },
    throttle: { enabled: false },
    request: { fetch: createApiFetch(apiUrl, timeLimitMs), log: silent },
  })
  nameApiVersion(octokit)
  try {
    return (await octokit.rest.apps.createFromManifest({ code })).data
  } catch (error) {
    const noAnswer = noAnswerBehind(error) ?? { address: apiUrl, code: null }
    const status = error instanceof Error && 'response' in error && 'status' in error ? error.status : undefined
    throw new Error(
      status === undefined
        ? `GitHub could not be reached ${describeNoAnswer(noAnswer)}.`
        : `GitHub did not accept the code (status ${String(status)}). A code works once, and for an hour.`,
    )
  }
}
