import { createContext } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { hold } from '../model/board.ts'
import { type Filters, noFilters, readFilters, writeFilters } from '../model/filters.ts'

/** What many parts of the page of a repository need. */
interface SceneOfPage {
  repository: RepositoryOfPage
  /** The repository at GitHub. */
  githubRepository: string | undefined
  /** Whether the viewer may change records now. */
  mayWrite: boolean
  filters: Filters
  /** The filters as one text. Where it changes, lists show all that is new at once. */
  query: string
  changeFilters: ChangeFilters
  /** Asks for what is new at once, after a change. */
  refresh(): void
}

const nothing = () => {}

export const Scene = createContext<SceneOfPage>({
  ...{ repository: { owner: '', repo: '' }, githubRepository: undefined, mayWrite: false },
  ...{ filters: noFilters, query: '', changeFilters: nothing, refresh: nothing },
})

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

export interface HeldItem<Item> {
  key: string
  item: Item
  /** It is over, and keeps its place until the reader asks for what is new. */
  isGone: boolean
}

export interface Held<Item> {
  /** In the order to show. */
  items: readonly HeldItem<Item>[]
  /** What came since, and is not shown yet. */
  waiting: readonly Item[]
  /** Shows everything as it is now. */
  release(): void
}

/** Items that do not move under a reader. Their contents stay live. Another query, or a hidden tab, shows all at once. */
export function useHeld<Item>(items: readonly Item[], keyOf: (item: Item) => string, query = ''): Held<Item> {
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

/** The keys of the page, each with what it does. Nothing is taken from somebody who types, or from a dialog. */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || !(target instanceof Element) || document.querySelector('dialog[open]')) return
      if (key === 'Escape' && target instanceof HTMLInputElement) return target.blur()
      const act = target.closest('input, textarea, select') ? undefined : acts[key]
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
