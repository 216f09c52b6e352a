import type { Database } from '../db/database.ts'
import { createHandover, type Handover } from './handover.ts'
import { loadSealKey } from './key-store.ts'
import { createSeal } from './seal.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'

export interface SignIn {
  sessions: Sessions
  handover: Handover
  /** How people can sign in here. */
  ways: readonly ('github' | 'token')[]
  /** Ends the token at GitHub, where it is one of our App. Never throws. */
  revoke(session: Session): Promise<void>
}

export interface SignInOptions {
  db: Database
  /** The client of the GitHub App, if there is one. */
  githubClient: { id: string; secret: string } | undefined
  now(): Date
}

/** Everything that signing in to the page needs. All instances of the service share its key. */
export async function createSignIn({ db, githubClient, now }: SignInOptions): Promise<SignIn> {
  const seal = createSeal({ key: await loadSealKey(db, githubClient?.secret), now })
  const handover = createHandover({ seal, db, now })
  return { sessions: createSessions({ seal, now }), handover, ways: ['token'], revoke: async () => {} }
}
