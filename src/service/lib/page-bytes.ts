/** A page of a list ends at 1 MiB (docs/rules.md#pages). Some of it is for what stands around the items. */
export const mostPageBytes = 1024 * 1024 - 16 * 1024

/** The bytes of a JSON text in a list, with its comma. */
export function sizeInList(text: string): number {
  return Buffer.byteLength(text) + 1
}

/** How many of the sizes, from the first on, are within these bytes together. */
export function countWithin(sizes: readonly number[], mostBytes = mostPageBytes): number {
  let bytes = 0
  const end = sizes.findIndex((size) => {
    bytes += size
    return bytes > mostBytes
  })
  return end === -1 ? sizes.length : end
}

/** How many of the items a page shows, from the first on: at least one. */
export function countOfPage(items: readonly unknown[], mostBytes?: number): number {
  const sizes = items.map((item) => sizeInList(JSON.stringify(item)))
  return Math.max(countWithin(sizes, mostBytes), Math.min(items.length, 1))
}

/** The page of these items. `last` is the position of its last item; null if no more follow. */
export function pageWithin<Item>(
  items: readonly Item[],
  more: boolean,
  positionOf: (item: Item) => string,
): { items: Item[]; last: string | null } {
  const shown = items.slice(0, countOfPage(items))
  const last = shown.at(-1)
  return { items: shown, last: last !== undefined && (more || shown.length < items.length) ? positionOf(last) : null }
}
