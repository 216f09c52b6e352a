import { z } from 'zod'
import { AppError } from '../../../core/errors.ts'
import { createApiFetch } from '../../github/api-fetch.ts'
import { createOctokit } from '../../github/github-request.ts'
import { errorToResponse } from '../../github/github-response.ts'
import { describeNoAnswer, NoAnswer } from '../../github/no-answer.ts'
import type { Log } from '../../lib/log.ts'

/** The client of the GitHub App, with which people sign in. */
export interface OAuthClientOptions {
  client: { id: string; secret: string }
  /** GitHub's web address and that of its API, without trailing slashes. */
  serverUrl: string
  apiUrl: string
  /** Where GitHub redirects to afterwards. */
  redirectUri: string
  log: Log
}

export interface OAuthClient {
  /** GitHub's page on which the person agrees. */
  authorizeUrl(asked: { state: string; challenge: string }): string
  /** Throws AppError: `sign_in_failed`, `github_unavailable`. */
  exchange(granted: { code: string; verifier: string }): Promise<{ token: string; lifetimeMs: number | undefined }>
  /** Ends a token that was issued for this client. Never throws. */
  revoke(token: string): Promise<void>
}

/** For one request to GitHub, in ms. */
const timeLimitMs = 5_000

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional() })
const Refused = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) })

export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const { client, serverUrl, apiUrl, redirectUri, log } = options
  const fetchWeb = createApiFetch(serverUrl, timeLimitMs)
  const octokit = createOctokit({ apiUrl, timeLimitMs }, 'app')
  return {
    authorizeUrl({ state, challenge }) {
      const asked = new URLSearchParams({
        ...{ client_id: client.id, redirect_uri: redirectUri, state },
        ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      })
      return `${serverUrl}/login/oauth/authorize?${asked}`
    },
    async exchange({ code, verifier }) {
      const form = { client_id: client.id, client_secret: client.secret, code, redirect_uri: redirectUri }
      const body = await readJson(() =>
        fetchWeb(`${serverUrl}/login/oauth/access_token`, {
          method: 'POST',
          headers: { Accept: 'application/json' },
          body: new URLSearchParams({ ...form, code_verifier: verifier }),
        }),
      )
      // GitHub answers errors with status 200 too.
      const refused = Refused.safeParse(body)
      if (refused.success) throw refusal(refused.data.error, log)
      const granted = Granted.safeParse(body)
      if (!granted.success) throw unavailable(new Error('a response without an access_token'))
      const { access_token: token, expires_in: seconds } = granted.data
      return { token, lifetimeMs: seconds === undefined ? undefined : seconds * 1000 }
    },
    async revoke(token) {
      const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
      const asked = { client_id: client.id, access_token: token, headers: { authorization } }
      await octokit.rest.apps.deleteToken(asked).catch((error: unknown) => {
        const response = errorToResponse(error)
        const status = response.kind === 'response' ? response.status : null
        // 404: it was revoked or has ended before.
        if (status !== 404) log.warn({ status }, 'GitHub did not revoke the token of a session')
      })
    },
  }
}

async function readJson(ask: () => Promise<Response>): Promise<unknown> {
  try {
    const response = await ask()
    if (response.status !== 200) throw new Error(`status ${response.status} of the token endpoint`)
    return await response.json()
  } catch (cause) {
    throw unavailable(cause)
  }
}

function unavailable(cause: unknown): AppError {
  const where = cause instanceof NoAnswer ? ` ${describeNoAnswer(cause)}` : ''
  const message = `Nobody was signed in: GitHub gave no usable answer${where}. Try again shortly.`
  return new AppError('github_unavailable', message, { cause })
}

/** `error` is GitHub's name of the fault. A wrong code is the person's fault, any other the operator's. */
function refusal(error: string, log: Log): AppError {
  if (error === 'bad_verification_code') {
    return new AppError('sign_in_failed', 'The code from GitHub is no longer valid. Sign in again.')
  }
  log.warn({ error }, 'GitHub refuses the client that people sign in with')
  return new AppError('sign_in_failed', `GitHub refuses the client of this service: ${error}. Tell its operator.`)
}
