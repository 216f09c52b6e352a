import { z } from 'zod'
import { rangesLimit } from '../../../../core/rules/response/collision-item.ts'
import { excerpt } from '../../../../core/texts/quote.ts'

/** How many records a list of a tool has, unless the model asks for more. */
export const defaultPage = { limit: 10 }

/** How much of each scope and summary a list shows. `get_activity` and `get_notable` show all. */
const most = { paths: 20, scopeBytes: 2_000, summary: 500 }
/** How many bytes a list may take with its scopes. The scope of each record gets at least `leastScopeBytes`; its changed directories get no more than that. */
const pageBytes = 24_000
const leastScopeBytes = 400
/** How much of each collision a list shows. */
const mostAreas = 5
const mostRanges = 20
/** How many notables a check shows. Their ids are all in its lists. */
const mostNotables = 10

const Page = z.looseObject({ items: z.array(z.looseObject({})) })
const WithScope = z.looseObject({ scope: z.looseObject({ paths: z.array(z.string()), areas: z.array(z.string()) }) })
const WithDirectories = z.looseObject({ scope_changed: z.array(z.string()) })
const WithSummary = z.looseObject({ summary: z.string() })
const ranges = z.array(z.unknown()).nullable()
const WithPlaces = z.looseObject({ areas: z.array(z.string()), lines: ranges, their_lines: ranges.optional() })
const Checked = z.looseObject({
  collisions: z.array(z.looseObject({})),
  notables: z.array(z.looseObject({ title: z.string() })),
})
const Created = z.looseObject({ overlap: Checked })

/**
 * Shows the first paths, areas and changed directories of each record of a list, and the beginning of its summary. The records
 * share the bytes that the list may take.
 */
export function shortenList(answer: Record<string, unknown>): Record<string, unknown> {
  const page = Page.parse(answer)
  const items = page.items.map(withShortSummary).map(withFewDirectories)
  const left = pageBytes - bytesOf(items.map(withoutScope))
  const share = Math.max(leastScopeBytes, left / Math.max(items.length, 1))
  return { ...page, items: items.map((item) => withShortScope(item, Math.min(share, most.scopeBytes))) }
}

/** Shows the first areas and ranges of lines of each collision, with a count of all. */
export function shortenCollisions(answer: Record<string, unknown>): Record<string, unknown> {
  const page = Page.parse(answer)
  return { ...page, items: page.items.map(withFewPlaces) }
}

/** The lines of the texts are not repeated as messages, and a model has no clone to try merges in. */
export const leftOutOfOverlap: ReadonlySet<string> = new Set([
  'messages',
  'candidates',
  'candidates_total',
  'related_order',
  'all_compared',
  'basis',
])

/** The same for the collisions of a check, or of the overlap of a create, and the first notables. */
export function shortenOverlap(answer: Record<string, unknown>): Record<string, unknown> {
  const created = Created.safeParse(answer)
  if (created.success) return { ...created.data, overlap: shortenOverlap(created.data.overlap) }
  const { collisions, notables, ...fields } = Checked.parse(answer)
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !leftOutOfOverlap.has(name)))
  return {
    ...{ ...rest, collisions: collisions.map(({ basis: _, ...item }) => withFewPlaces(item)) },
    notables: notables.slice(0, mostNotables).map((notable) => ({ ...notable, title: excerpt(notable.title) })),
    ...(notables.length > mostNotables && { notables_total: notables.length }),
  }
}

const Tasks = z.looseObject({ results: z.array(z.looseObject({})) })

/** The same for each result of a check of many tasks. */
export function shortenTasks(answer: Record<string, unknown>): Record<string, unknown> {
  const { results, ...rest } = Tasks.parse(answer)
  return { ...rest, results: results.map(shortenOverlap) }
}

function withFewPlaces(item: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithPlaces.safeParse(item)
  if (!data) return item
  return {
    ...data,
    ...firstWithTotal('areas', data.areas, mostAreas),
    ...firstRanges('lines', data.lines),
    ...firstRanges('their_lines', data.their_lines),
  }
}

type Places = readonly unknown[] | null | undefined

function firstWithTotal(name: string, all: Places, count: number, total = `${name}_total`): object {
  if (!all || all.length <= count) return {}
  return { [name]: all.slice(0, count), [total]: all.length }
}

/** The API itself cuts off longer lists of ranges. */
function firstRanges(name: string, all: Places): object {
  const isWhole = all && all.length < rangesLimit
  return firstWithTotal(name, all, mostRanges, isWhole ? `${name}_total` : `${name}_total_at_least`)
}

function withoutScope({ scope: _, ...item }: Record<string, unknown>): Record<string, unknown> {
  return item
}

/** The bytes of a text say more about its number of tokens than its characters. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function withShortScope(item: Record<string, unknown>, bytes: number): Record<string, unknown> {
  const { data } = WithScope.safeParse(item)
  if (!data) return item
  const areas = firstOf(data.scope.areas, bytes / 2)
  const paths = firstOf(data.scope.paths, bytes - bytesOf(areas))
  const scope = {
    ...{ ...data.scope, areas, paths },
    ...(areas.length < data.scope.areas.length && { areas_total: data.scope.areas.length }),
    ...(paths.length < data.scope.paths.length && { paths_total: data.scope.paths.length }),
  }
  return { ...data, scope }
}

function firstOf(texts: readonly string[], bytes: number): string[] {
  let left = bytes
  return texts.slice(0, most.paths).filter((text) => {
    left -= bytesOf(text) + 1
    return left >= 0
  })
}

function withFewDirectories(item: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithDirectories.safeParse(item)
  return data ? { ...data, scope_changed: firstOf(data.scope_changed, leastScopeBytes) } : item
}

function withShortSummary(item: Record<string, unknown>): Record<string, unknown> {
  const { data } = WithSummary.safeParse(item)
  if (!data || data.summary.length <= most.summary) return item
  return { ...data, summary: `${data.summary.slice(0, most.summary).toWellFormed()}…` }
}
