import { LRUCache } from 'lru-cache'
import { TypeID } from 'typeid-js'
import { V7Generator } from 'uuidv7'
import { isWithin } from './clock.ts'

export type IdPrefix = 'act' | 'ntb'

const generator = new V7Generator()
const clockTolerance = 10_000
let lastTime = 0

/**
 * A new id: the prefix and a UUIDv7 of the time in Crockford base 32 (a TypeID). Ids strictly increase within the process,
 * even if the clock is set back, so ids sort by creation (docs/rules.md#identifiers).
 */
export function newId(prefix: IdPrefix, at: Date = new Date()): string {
  lastTime = Math.max(at.getTime(), lastTime)
  return TypeID.fromUUIDBytes(prefix, generator.generateOrResetCore(lastTime, clockTolerance).bytes).toString()
}

/** When this process created the latest record of each repository, in ms since 1970. */
const latest = new LRUCache<bigint, number>({ max: 10_000 })

/** How long the time of the latest record is used again where the clock is behind it, in ms. Events of a branch tolerate a `created_at` that is so much too late. */
const heldMs = 30_000

/**
 * The id and the time of a new record. In a repository both go up together within the process, although two requests may get
 * here in another order than they read the clock, and the clock may be set back a little (docs/rules.md#identifiers).
 */
export function newRecord(prefix: IdPrefix, repositoryId: bigint, now: Date): { id: string; created_at: Date } {
  const last = latest.get(repositoryId) ?? 0
  const at = isWithin(now.getTime(), heldMs, last) ? new Date(last) : now
  latest.set(repositoryId, at.getTime())
  return { id: newId(prefix, at), created_at: at }
}

/** Whether the text has the form of an id with this prefix. Other texts need no look-up in the database. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
}
