export interface Retention {
  now: Date
  retentionMs: number
}

/** Records that ended then or before are purged: nobody gets them, even before the sweeper deletes them (docs/rules.md#retention). */
export function endedAfter({ now, retentionMs }: Retention): Date {
  return new Date(now.getTime() - retentionMs)
}

export function isPurged(endedAt: Date | null, retention: Retention): boolean {
  return endedAt !== null && endedAt <= endedAfter(retention)
}
