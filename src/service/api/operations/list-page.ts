import { z } from 'zod'
import { type CursorScope, decodeCursor, encodeCursor } from '../../lib/cursor.ts'

/** A query parameter from 1 to a maximum of three digits. */
export function numberUpTo(maximum: number, description: string) {
  return z
    .string()
    .refine((value) => /^[1-9]\d{0,2}$/.test(value), `must be a whole number from 1 to ${maximum}`)
    .transform(Number)
    .pipe(z.number().min(1).max(maximum))
    .meta({ type: 'integer', minimum: 1, maximum, description })
}

/** The two parameters of every list: 1 to 100 records, 50 by default (docs/rules.md#pages). */
export const pageParameters = {
  limit: numberUpTo(100, 'The largest number of records on a page.').default(50),
  // zod does not check the length: a cursor that is too long is `invalid_cursor`, like any text that is no cursor.
  cursor: z.string().optional().meta({
    minLength: 1,
    maxLength: 1000,
    description: '`next_cursor` of the previous page, unchanged, with the same filters: returns the next page.',
  }),
}

/** The schema of a page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('Newest first, at most 1 MiB. The last page may be empty.'),
    next_cursor: z.string().nullable().describe('The `cursor` for the next page; null at the end.'),
  })
}

export interface Page<Item> {
  items: Item[]
  /** The id of the last item; null if no more follow. */
  last: string | null
}

/** The response of a list: items, `next_cursor`, and `Link: …; rel="next"`. */
export function pageReply<Item>(page: Page<Item>, scope: CursorScope, url: string) {
  const next_cursor = page.last === null ? null : encodeCursor(page.last, scope)
  const body = { items: page.items, next_cursor }
  if (next_cursor === null) return { status: 200 as const, body }
  const [path = ''] = url.split('?', 1)
  const parameters = new URLSearchParams(url.slice(path.length))
  parameters.set('cursor', next_cursor)
  return { status: 200 as const, body, headers: { Link: `<${path}?${parameters}>; rel="next"` } }
}

/** The id after which the page begins; undefined for the first page. Throws `invalid_cursor`. */
export function pageStart(cursor: string | undefined, scope: CursorScope): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, scope)
}
