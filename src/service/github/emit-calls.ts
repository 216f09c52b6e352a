import type { Octokit } from '@octokit/rest'
import { currentContext } from '../lib/request-context.ts'
import type { Credential, EmitEvent } from '../lib/service-events.ts'
import { apiVersion, refusesVersion } from './api-version.ts'
import { errorToResponse, type GithubResponse, toResponse } from './github-response.ts'
import { isRateLimit, requestsLeft } from './rate-limits.ts'

/** Reports every call of this Octokit by its route and credential, without its token and parameters. */
export function emitCalls(octokit: Pick<Octokit, 'hook'>, credential: Credential, emit: EmitEvent): void {
  octokit.hook.wrap('request', async (request, options) => {
    const requestContext = currentContext()
    const began = performance.now()
    const report = (response: GithubResponse) => {
      const ms = performance.now() - began
      const route = `${options.method} ${options.url}`
      emit({ kind: 'github_call', requestContext, call: { credential, route, ms, ...factsOf(response) } })
    }
    try {
      const response = await request(options)
      report(toResponse(response))
      return response
    } catch (error) {
      report(errorToResponse(error))
      throw error
    }
  })
}

function factsOf(response: GithubResponse) {
  if (response.kind === 'failure') {
    return { status: null, isRateLimit: false, remaining: null, serverTime: null, ends: null, refusedVersion: null }
  }
  const { status, headers } = response
  const serverTime = Date.parse(headers.date ?? '')
  return {
    status,
    isRateLimit: isRateLimit(response),
    remaining: requestsLeft(response)?.remaining ?? null,
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
    ends: headers.deprecation || headers.sunset ? endOf(headers) : null,
    refusedVersion: refusesVersion(response) ? apiVersion : null,
  }
}

function endOf({ deprecation, sunset }: Readonly<Record<string, string>>) {
  return { deprecation: deprecation?.slice(0, 100) ?? null, sunset: sunset?.slice(0, 100) ?? null }
}
