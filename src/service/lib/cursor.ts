import { createHash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'

/** The list that a cursor belongs to. The page size may change between pages (docs/rules.md#cursors). */
export interface CursorScope {
  repositoryId: bigint
  route: string
  filters: Record<string, unknown>
}

function checksum(position: string, scope: CursorScope): string {
  const filters = Object.entries(scope.filters).filter(([, value]) => value !== undefined)
  const text = JSON.stringify([position, String(scope.repositoryId), scope.route, filters.sort()])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** Makes an opaque cursor for the records after this id. It needs no secret, since every page is authorised again. */
export function encodeCursor(position: string, scope: CursorScope): string {
  return Buffer.from(`${position}.${checksum(position, scope)}`).toString('base64url')
}

/** The id in the cursor. Throws `invalid_cursor` if the cursor was not made for this list. */
export function decodeCursor(cursor: string, scope: CursorScope): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [position = '', sum] = text.split('.')
  if (sum !== checksum(position, scope) || encodeCursor(position, scope) !== cursor) {
    throw new AppError('invalid_cursor', 'This cursor was not made by this list with these filters.', {
      details: [
        { field: 'cursor', code: 'invalid_value', message: 'Use the next_cursor of a page with the same filters.' },
      ],
    })
  }
  return position
}
