import type { Api } from './api.ts'
import { type Json, recordList, textField } from './json.ts'

export interface Found {
  items: Json[]
  /** Whether there are more than were asked for. */
  more: boolean
}

/** At most `limit` records of a list, newest first, over as many pages as it takes. */
export async function listRecords(
  api: Api,
  path: string,
  filters: Readonly<Record<string, string>>,
  limit: number,
): Promise<Found> {
  const items: Json[] = []
  let cursor: string | undefined
  do {
    const page = Math.min(100, limit - items.length)
    const query = new URLSearchParams({ ...filters, limit: String(page), ...(cursor !== undefined && { cursor }) })
    const answer = await api.call('GET', `${path}?${query}`)
    items.push(...recordList(answer, 'items'))
    cursor = textField(answer, 'next_cursor')
  } while (cursor !== undefined && items.length < limit)
  return { items, more: cursor !== undefined }
}

/** The filters that were given, under the names of the API. */
export function filtersOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
