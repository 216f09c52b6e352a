import { isDuplicate } from '../db/errors.ts'

interface Keyed<Row> {
  /** The hash of the request; null where it has no key. */
  key: string | null
  headers: Record<string, string>
  /** The record that this key made. One that is purged is deleted, and is no record: its key makes a new one. */
  find(key: string): Promise<Row | null>
  /** Does it again by itself where PostgreSQL has undone it. */
  create(): Promise<Row>
}

/** Creates a record, or finds the one that the same request made before. Of two at once, the database lets one create it. */
export async function createOnce<Row>({ key, headers, find, create }: Keyed<Row>): Promise<Row> {
  if (key === null) return create()
  const before = await find(key)
  const row = before ?? (await create().catch((error: unknown) => (isDuplicate(error) ? null : Promise.reject(error))))
  if (row !== null && row !== before) return row
  const replayed = row ?? (await find(key))
  if (replayed === null) return create()
  headers['Idempotency-Replayed'] = 'true'
  return replayed
}
