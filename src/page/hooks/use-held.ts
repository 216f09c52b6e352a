import { useRef, useState } from 'preact/hooks'
import { hold } from '../model/held.ts'

export interface HeldItems<Item> {
  /** In the order to show. `isGone`: it is over, and keeps its place until the reader asks for what is new. */
  items: readonly { key: string; item: Item; isGone: boolean }[]
  /** What came since, and is not shown yet. */
  waiting: readonly Item[]
  /** Shows everything as it is now. */
  release(): void
}

/** Items that do not move under a reader. Their contents stay live. Another query, or a hidden tab, shows all at once. */
export function useHeld<Item>(items: readonly Item[], keyOf: (item: Item) => string, query = ''): HeldItems<Item> {
  const shown = useRef<readonly string[] | undefined>(undefined)
  const known = useRef(new Map<string, Item>())
  const lastQuery = useRef(query)
  const [, redraw] = useState(0)
  if (lastQuery.current !== query || document.hidden) shown.current = undefined
  lastQuery.current = query
  const current = new Map(items.map((item) => [keyOf(item), item]))
  const { keys, waiting } = hold(shown.current, [...current.keys()])
  shown.current = keys
  const held = keys.flatMap((key) => {
    const item = current.get(key) ?? known.current.get(key)
    return item === undefined ? [] : [{ key, item, isGone: !current.has(key) }]
  })
  known.current = new Map(held.map(({ key, item }) => [key, item]))
  return {
    items: held,
    waiting: waiting.flatMap((key) => current.get(key) ?? []),
    release() {
      shown.current = undefined
      redraw((count) => count + 1)
    },
  }
}
