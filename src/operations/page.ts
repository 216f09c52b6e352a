import { z } from 'zod'
import { type CursorScope, decodeCursor, encodeCursor } from '../lib/cursor.ts'

const pageSize = z
  .string()
  .refine((value) => /^[1-9]\d{0,2}$/.test(value), 'must be a whole number from 1 to 100')
  .transform(Number)
  .pipe(z.number().min(1).max(100))
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'How many records a page has at most; 50 unless you say.',
  })

/** The two parameters of every list: 1 to 100 records, 50 by default (docs/rules.md#pages). */
export const pageParameters = {
  limit: pageSize.default(50),
  cursor: z.string().max(1000).optional().meta({
    minLength: 1,
    description: '`next_cursor` of the page before, unchanged and with the same filters: the next page.',
  }),
}

/** The answer of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('Newest first. The last page may be empty.'),
    next_cursor: z.string().nullable().describe('What `cursor` of the next request is; null at the end.'),
  })
}

export interface Page<Item> {
  items: Item[]
  /** The id of the last item, where more may follow. */
  last: string | null
}

/** The answer of a list: items, `next_cursor`, and `Link: …; rel="next"` relative to the service. */
export function pageReply<Item>(page: Page<Item>, scope: CursorScope, url: string) {
  const next_cursor = page.last === null ? null : encodeCursor(page.last, scope)
  const body = { items: page.items, next_cursor }
  if (next_cursor === null) return { status: 200 as const, body }
  const [path = ''] = url.split('?', 1)
  const parameters = new URLSearchParams(url.slice(path.length))
  parameters.set('cursor', next_cursor)
  return { status: 200 as const, body, headers: { Link: `<${path}?${parameters}>; rel="next"` } }
}

/** Where the page begins: after the id that the cursor stands at, or at the newest. */
export function pageStart(cursor: string | undefined, scope: CursorScope): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, scope)
}
