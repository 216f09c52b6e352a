import { type Json, recordList, textField } from '../json.ts'
import type { Api } from '../service/api.ts'
import { listRecords, type RecordList } from './list-records.ts'

/** The sources of work that nobody recorded. */
export const observedSources = 'pull_request,branch'

/** How many records of observed work there are. */
export interface ObservedCount {
  pull_requests: number
  branches: number
  /** Whether there are more. */
  more: boolean
}

type Filters = Readonly<Record<string, string>>

/** Counts observed work, on one page. */
export async function countObserved(api: Api, filters: Filters): Promise<ObservedCount> {
  const query = new URLSearchParams({ ...filters, source: observedSources, limit: '100' })
  const page = await api.call('GET', `/activity?${query}`)
  const items = recordList(page, 'items')
  const branches = items.filter(isBranch).length
  return { pull_requests: items.length - branches, branches, more: textField(page, 'next_cursor') !== undefined }
}

function isBranch(activity: Json): boolean {
  return textField(activity, 'source') === 'branch'
}

/** Recorded work, and then observed work, of each at most `limit`. */
export async function listRecordedFirst(api: Api, filters: Filters, limit: number): Promise<RecordList> {
  const [recorded, observed] = await Promise.all([
    listRecords(api, '/activity', { ...filters, source: 'recorded' }, limit),
    listRecords(api, '/activity', { ...filters, source: observedSources }, limit),
  ])
  const { state } = observed
  return {
    items: [...recorded.items, ...observed.items],
    more: recorded.more || observed.more,
    ...(state && { state }),
  }
}

/** `12 open pull requests and 1 pushed branch`; undefined where there is none. */
export function describeObservedCount(
  { pull_requests, branches, more }: ObservedCount,
  { areOpen }: { areOpen: boolean },
): string | undefined {
  const open = areOpen ? 'open ' : ''
  const count = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${more ? 'at least ' : ''}${number} ${number === 1 ? one : many}`]
  const counts = [
    ...count(pull_requests, `${open}pull request`, `${open}pull requests`),
    ...count(branches, 'pushed branch', 'pushed branches'),
  ]
  return counts.length === 0 ? undefined : counts.join(' and ')
}
