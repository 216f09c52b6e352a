import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { Seal } from './seal.ts'
import { isSpent, spend } from './spent-store.ts'

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
  /** Null for a value that is no session, whose 8 hours are over, or that the person signed out of. */
  open(sealed: string): Promise<Session | null>
  /** Whether it is over, or the person has signed out of it on any instance. */
  hasEnded(session: Session): Promise<boolean>
  /** Calls the listener when the person signs out on this instance. Returns how to stop that. */
  onSignOut(session: Session, listener: () => void): () => void
  /** Ends the session: at once on this instance, within 5 s on others. Throws where that can't be saved. */
  signOut(session: Session): Promise<void>
}

/** In ms. */
const longestMs = 8 * 3_600_000
/** For so long a session counts after it was found not to be signed out, in ms. */
const checkedMs = 5_000

const Claims = z.object({
  id: z.string(),
  token: z.string(),
  login: z.string(),
  way: z.enum(['github', 'handover', 'token']),
})

/** Sessions are in their cookies alone: no token of them is saved. `now` in the seal and here is the same clock. */
export function createSessions({ seal, db, now }: { seal: Seal; db: Database; now: () => Date }): Sessions {
  const listeners = new Map<string, Set<() => void>>()
  /** The ids of sessions that had not ended a moment ago. */
  const checked = new LRUCache<string, true>({ max: 10_000, ttl: checkedMs, perf: { now: () => now().getTime() } })

  async function isSignedOut(id: string): Promise<boolean> {
    if (checked.has(id)) return false
    const isOut = await isSpent(db, 'signed-out', id)
    if (!isOut) checked.set(id, true)
    return isOut
  }

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
      if (!opened || (await isSignedOut(opened.claims.id))) return null
      return { ...opened.claims, endsAt: opened.endsAt }
    },
    hasEnded: async ({ id, endsAt }) => endsAt <= now() || (await isSignedOut(id)),
    onSignOut({ id }, listener) {
      const ofSession = listeners.get(id) ?? new Set()
      listeners.set(id, ofSession.add(listener))
      return () => {
        ofSession.delete(listener)
        if (ofSession.size === 0) listeners.delete(id)
      }
    },
    async signOut({ id }) {
      // Saved first, since other tabs reconnect at once when their streams end.
      await spend(db, 'signed-out', id, now())
      checked.delete(id)
      for (const listener of [...(listeners.get(id) ?? [])]) listener()
    },
  }
}
