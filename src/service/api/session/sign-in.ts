import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import { createHandover, type Handover } from './handover.ts'
import { createOAuthClient } from './oauth-client.ts'
import { createSeal } from './seal.ts'
import { loadSealKey } from './seal-key-store.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'
import { createWebFlow, type WebFlow } from './web-flow.ts'

export interface SignIn {
  sessions: Sessions
  handover: Handover
  /** Absent where signing in with GitHub is not configured. */
  webFlow: WebFlow | undefined
  /** How people can sign in here. */
  ways: readonly ('github' | 'token')[]
  /** Ends the token at GitHub, where it was issued for this session. Never throws. */
  revoke(session: Session): Promise<void>
}

export interface SignInOptions {
  db: Database
  /** The client of the GitHub App, if there is one. */
  githubClient: { id: string; secret: string } | undefined
  /** `HEADSUP_PUBLIC_URL` */
  publicUrl: string | undefined
  githubServerUrl: string
  githubApiUrl: string
  log: Log
  now(): Date
}

/** Everything that signing in to the page needs. All instances of the service share its key. */
export async function createSignIn(options: SignInOptions): Promise<SignIn> {
  const { db, githubClient, publicUrl, githubServerUrl, githubApiUrl, log, now } = options
  const seal = createSeal({ key: await loadSealKey(db, githubClient?.secret), now })
  const client =
    githubClient && publicUrl !== undefined
      ? createOAuthClient({
          client: githubClient,
          serverUrl: githubServerUrl,
          apiUrl: githubApiUrl,
          redirectUri: `${publicUrl}/-/callback`,
          log,
        })
      : undefined
  return {
    sessions: createSessions({ seal, db, now }),
    handover: createHandover({ seal, db, now }),
    webFlow: client && createWebFlow({ client, seal, now }),
    ways: client ? ['github', 'token'] : ['token'],
    revoke: async ({ way, token }) => {
      if (way === 'github') await client?.revoke(token)
    },
  }
}
