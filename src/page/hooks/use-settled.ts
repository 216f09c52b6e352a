import { useRef, useState } from 'preact/hooks'
import { settle } from '../model/settle.ts'

interface SettledItems<Item> {
  /** In the order to show. `isGone`: the item was removed, and is shown only while somebody reads. */
  items: readonly { key: string; item: Item; isGone: boolean }[]
  /** How many changes are held back. */
  waiting: number
  /** Shows the held changes at once. */
  release(): void
}

/**
 * Keeps the order of items while somebody reads. Their contents stay live. A change of `filterQuery` takes effect at
 * once.
 */
export function useSettled<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  isReading: boolean,
  filterQuery = '',
): SettledItems<Item> {
  const shown = useRef<readonly string[]>([])
  const known = useRef(new Map<string, Item>())
  const lastQuery = useRef(filterQuery)
  const [, redraw] = useState(0)
  if (lastQuery.current !== filterQuery) shown.current = []
  lastQuery.current = filterQuery
  const current = new Map(items.map((item) => [keyOf(item), item]))
  const { keys, waiting } = settle(shown.current, [...current.keys()], isReading && shown.current.length > 0)
  shown.current = keys
  const settled = keys.flatMap((key) => {
    const item = current.get(key) ?? known.current.get(key)
    return item === undefined ? [] : [{ key, item, isGone: !current.has(key) }]
  })
  known.current = new Map(settled.map(({ key, item }) => [key, item]))
  return {
    items: settled,
    waiting,
    release() {
      shown.current = []
      redraw((count) => count + 1)
    },
  }
}
