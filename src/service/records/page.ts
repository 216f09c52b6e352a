export interface Page<Row> {
  items: Row[]
  next_cursor: string | null
}

/** A page of rows, of which one more was read. The cursor is the last id. */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number): Page<Row> {
  const items = rows.slice(0, limit)
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
