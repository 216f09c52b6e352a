import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../core/errors.ts'
import { returnPath } from '../../../core/return-path.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { Seal } from './seal.ts'

export interface WebFlow {
  /** Begins a sign-in. `sealed` is the value of the cookie that has to come back with GitHub's answer. */
  begin(asked: { to: string; isAgain: boolean }): Promise<{ url: string; sealed: string }>
  /**
   * Reads GitHub's answer. `again` where the cookie is missing or of another sign-in: then it has to begin again, once. Throws
   * AppError: `sign_in_failed`, `github_unavailable`.
   */
  finish(answer: GithubAnswer): Promise<Finished>
}

/** The parameters of GitHub's redirect, and the cookie of the sign-in; null where they are missing. */
export interface GithubAnswer {
  sealed: string | null
  state: string | null
  code: string | null
  error: string | null
}

export type Finished =
  | { kind: 'signed_in'; token: string; lifetimeMs: number | undefined; to: string }
  | { kind: 'again'; to: string }

/** How long a person may take at GitHub. */
export const signInSeconds = 600

/** The beginning of the state of a second attempt. */
const again = 'again.'

/** Browsers keep no cookie of more than 4 KiB, and sealing adds a third. */
const fits = (to: string) => Buffer.byteLength(JSON.stringify(to)) <= 2_000

const Claims = z.object({ state: z.string(), verifier: z.string(), to: z.string() })

/** Signs people in by GitHub's web flow, with `state` and PKCE (docs/rules.md#sessions). */
export function createWebFlow(options: { client: OAuthClient; seal: Seal; now: () => Date }): WebFlow {
  const { client, seal, now } = options
  const random = () => randomBytes(32).toString('base64url')
  return {
    async begin({ to, isAgain }) {
      const page = fits(to) ? returnPath(to) : '/'
      const claims = { state: `${isAgain ? again : ''}${random()}`, verifier: random(), to: page }
      const challenge = createHash('sha256').update(claims.verifier).digest('base64url')
      const sealed = await seal.seal('sign-in', claims, new Date(now().getTime() + signInSeconds * 1000))
      return { url: client.authorizeUrl({ state: claims.state, challenge }), sealed }
    },
    async finish({ sealed, state, code, error }) {
      const begun = sealed === null ? null : await seal.open('sign-in', Claims, sealed)
      if (begun === null || begun.claims.state !== state) {
        if (!state?.startsWith(again)) return { kind: 'again', to: begun?.claims.to ?? '/' }
        const message =
          'The browser did not send the cookie of this sign-in. Allow cookies for this page and sign in again.'
        throw new AppError('sign_in_failed', message)
      }
      if (code === null) {
        const isRefusal = error === 'access_denied'
        throw new AppError('sign_in_failed', isRefusal ? 'You did not agree at GitHub.' : 'GitHub did not sign you in.')
      }
      const { verifier, to } = begun.claims
      return { kind: 'signed_in', to, ...(await client.exchange({ code, verifier })) }
    },
  }
}
