import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Seal } from './seal.ts'
import { isSpent, spend } from './spent.ts'

/** How a person signed in. */
export type Way = 'github' | 'handover' | 'token'

export interface Session {
  id: string
  token: string
  login: string
  way: Way
  endsAt: Date
}

export interface Sessions {
  /** Begins a session of at most 8 hours. `sealed` is the value of its cookie. */
  begin(
    facts: Pick<Session, 'token' | 'login' | 'way'>,
    lifetimeMs?: number,
  ): Promise<{ session: Session; sealed: string }>
  /** Null for a value that is no session, or whose 8 hours are over. `hasEnded` checks for a sign-out too. */
  open(sealed: string): Promise<Session | null>
  /** Whether it is over, or the person has signed out of it on any instance. */
  hasEnded(session: Session): Promise<boolean>
  /** Calls the listener when the person signs out on this instance. Returns how to stop that. */
  onSignOut(session: Session, listener: () => void): () => void
  /** Ends the streams of the session on this instance. Other instances see the sign-out by `hasEnded`. Never throws. */
  signOut(session: Session): Promise<void>
}

/** In ms. */
const longestMs = 8 * 3_600_000

const Claims = z.object({
  id: z.string(),
  token: z.string(),
  login: z.string(),
  way: z.enum(['github', 'handover', 'token']),
})

/** Sessions are in their cookies alone: no token of them is saved. `now` in the seal and here is the same clock. */
export function createSessions({ seal, db, now }: { seal: Seal; db: Database; now: () => Date }): Sessions {
  const listeners = new Map<string, Set<() => void>>()
  return {
    async begin(facts, lifetimeMs = longestMs) {
      // A JWT has whole seconds.
      const seconds = Math.floor((now().getTime() + Math.min(lifetimeMs, longestMs)) / 1000)
      const session = { id: randomUUID(), ...facts, endsAt: new Date(seconds * 1000) }
      const { endsAt, ...claims } = session
      return { session, sealed: await seal.seal('session', claims, endsAt) }
    },
    async open(sealed) {
      const opened = await seal.open('session', Claims, sealed)
      return opened && { ...opened.claims, endsAt: opened.endsAt }
    },
    hasEnded: async ({ id, endsAt }) => endsAt <= now() || (await isSpent(db, 'signed-out', id)),
    onSignOut({ id }, listener) {
      const ofSession = listeners.get(id) ?? new Set()
      listeners.set(id, ofSession.add(listener))
      return () => {
        ofSession.delete(listener)
        if (ofSession.size === 0) listeners.delete(id)
      }
    },
    async signOut({ id }) {
      // Saved first, since other tabs reconnect at once when their streams end. Without the database no instance
      // streams.
      await spend(db, 'signed-out', id, now()).catch(() => {})
      for (const listener of [...(listeners.get(id) ?? [])]) listener()
    },
  }
}
