/** A page of a list ends at 1 MiB (docs/rules.md#pages). Some of it is for what stands around the items. */
export const mostPageBytes = 1024 * 1024 - 16 * 1024

/** How many of the items, from the first on, are within these bytes as JSON. At least one. */
export function countWithin(items: readonly unknown[], mostBytes = mostPageBytes): number {
  let bytes = 0
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    return bytes > mostBytes
  })
  return end === -1 ? items.length : Math.max(end, 1)
}

/** The page of these items. `last` is the position of its last item; null if no more follow. */
export function pageWithin<Item>(
  items: readonly Item[],
  more: boolean,
  positionOf: (item: Item) => string,
): { items: Item[]; last: string | null } {
  const shown = items.slice(0, countWithin(items))
  const last = shown.at(-1)
  return { items: shown, last: last !== undefined && (more || shown.length < items.length) ? positionOf(last) : null }
}
