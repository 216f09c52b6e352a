import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { hold } from '../model/board.ts'
import { type Filters, readFilters, writeFilters } from '../model/filters.ts'

export type ChangeFilters = (change: Partial<Filters>, isStep?: boolean) => void

/** The filters of the address. A step adds an entry to the browser's history; typing does not. */
export function useFilters(): [Filters, ChangeFilters] {
  const [filters, setFilters] = useState(() => readFilters(location.search))
  useEffect(() => {
    const onPop = () => setFilters(readFilters(location.search))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  const change = useCallback<ChangeFilters>((part, isStep = false) => {
    const next = { ...readFilters(location.search), ...part }
    const url = location.pathname + writeFilters(location.search, next)
    if (isStep) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
    setFilters(next)
  }, [])
  return [filters, change]
}

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

interface Keys {
  search(): void
  /** Goes to the next card, or with -1 to the one before. */
  step(by: 1 | -1): void
  toggleMine(): void
  help(): void
}

/** The keys of the page. Nothing is taken from somebody who types, or from a dialog. */
export function useKeys({ search, step, toggleMine, help }: Keys): void {
  useEffect(() => {
    const acts: Record<string, () => void> = {
      '/': search,
      j: () => step(1),
      k: () => step(-1),
      m: toggleMine,
      '?': help,
    }
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !(target instanceof Element) || document.querySelector('dialog[open]')) return
      if (key === 'Escape' && target instanceof HTMLInputElement) return target.blur()
      if (target.closest('input, textarea, select')) return
      const act = acts[key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

/** Moves the focus by one among the cards. */
export function stepCard(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('.card:not(.is-folded) .card-toggle')]
  const at = cards.findIndex((card) => card.matches(':focus'))
  const next = at === -1 ? (by === 1 ? 0 : cards.length - 1) : Math.min(Math.max(at + by, 0), cards.length - 1)
  cards[next]?.focus()
}

/** The current time in ms, updated at an interval for ages. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
