import { ProbotOctokit } from 'probot'
import { createApiFetch } from './api-fetch.ts'

// Probot logs the answer's route with the code.
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** How long the exchange may take, in ms. */
const timeLimitMs = 10_000

/**
 * Trades the code of a registered manifest for the new App, as GitHub answers it: its id, key and secrets. A code works once, so
 * nothing is tried again. Throws an error whose message names neither the code nor the answer.
 */
export async function convertManifest(apiUrl: string, code: string): Promise<unknown> {
  const octokit = new ProbotOctokit({
    baseUrl: apiUrl,
    log: silent,
    retry: { enabled: false },
    throttle: { enabled: false },
    request: { fetch: createApiFetch(apiUrl, timeLimitMs), log: silent },
  })
  try {
    return (await octokit.rest.apps.createFromManifest({ code })).data
  } catch (error) {
    const status = error instanceof Error && 'response' in error && 'status' in error ? error.status : undefined
    throw new Error(
      status === undefined
        ? `GitHub could not be reached at ${apiUrl}.`
        : `GitHub did not accept the code (status ${String(status)}). A code works once, and for an hour.`,
    )
  }
}
