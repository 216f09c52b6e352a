import { createHash } from 'node:crypto'
import type { Activity } from '../../core/schemas/activity.ts'
import type { Notable } from '../../core/schemas/notable.ts'

/** A live record as a watched repository holds it: without what only the lists show. */
export interface HeldRecord {
  id: string
  /** As a snapshot shows it, in JSON. */
  text: string
  /** Of the text. */
  bytes: number
  isScopeCut: boolean
  /** The same for records that differ only in the times that heartbeats move. */
  digest: string
  expires_at: string
}

export interface HeldActivity extends HeldRecord {
  began_at: string
  heartbeat_at: string | null
}

/** How many paths of a scope a snapshot shows. */
const mostPaths = 20

export function holdActivity(activity: Activity): HeldActivity {
  return { ...hold(activity), began_at: activity.began_at, heartbeat_at: activity.heartbeat_at }
}

export function holdNotable(notable: Notable): HeldRecord {
  return hold(notable)
}

function hold(record: Activity | Notable): HeldRecord {
  const { id, expires_at, scope } = record
  const isScopeCut = scope.paths.length > mostPaths
  const paths = scope.paths.slice(0, mostPaths)
  const shown = isScopeCut ? { ...record, scope: { ...scope, paths }, scope_total: scope.paths.length } : record
  const text = JSON.stringify(shown)
  return { id, text, bytes: Buffer.byteLength(text), isScopeCut, digest: digestOf(record), expires_at }
}

/** Covers everything but the times that heartbeats move. */
export function digestOf(record: Activity | Notable): string {
  const content = JSON.stringify({ ...record, heartbeat_at: undefined, expires_at: undefined })
  return createHash('sha256').update(content).digest('base64')
}
