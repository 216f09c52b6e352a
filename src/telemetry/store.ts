import type { Database } from '../db/database.ts'

/** Not counted any further: what a scrape costs has to be bounded. */
export const mostCounted = 100_000

export interface LiveRecords {
  activities: number
  notables: number
}

/** Live records of all repositories, on purpose: for the operator, and only their number. At most `mostCounted` of each. */
export async function countLive({ pool }: Database, now: Date): Promise<LiveRecords> {
  const { rows } = await pool.query<LiveRecords>({
    text: `select (select count(*)::int from (select from activities where ended_at is null and expires_at > $1 limit $2) as live) as activities,
                  (select count(*)::int from (select from notables where ended_at is null and expires_at > $1 limit $2) as live) as notables`,
    values: [now, mostCounted],
  })
  const [counted] = rows
  if (!counted) throw new Error('a count without a row')
  return counted
}
