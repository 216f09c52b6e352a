import { type Json, record, recordList, textField } from '../json.ts'
import type { Api } from '../service/api.ts'

export interface RecordList {
  items: Json[]
  /** Whether there are more than the limit. */
  more: boolean
  /** How far the open pull requests are read; undefined for lists without any. */
  state?: Json
}

/** At most `limit` records of a list, newest first, from as many pages as needed. */
export async function listRecords(
  api: Api,
  path: string,
  filters: Readonly<Record<string, string>>,
  limit: number,
): Promise<RecordList> {
  const items: Json[] = []
  let cursor: string | undefined
  let state: Json | undefined
  do {
    const page = Math.min(100, limit - items.length)
    const query = new URLSearchParams({ ...filters, limit: String(page), ...(cursor !== undefined && { cursor }) })
    const response = await api.call('GET', `${path}?${query}`)
    items.push(...recordList(response, 'items'))
    cursor = textField(response, 'next_cursor')
    if (response.observed !== undefined) state = record(response, 'observed')
  } while (cursor !== undefined && items.length < limit)
  return { items, more: cursor !== undefined, ...(state && { state }) }
}

/** The filters that have a value. */
export function filtersOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
