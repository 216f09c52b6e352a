import { createContext } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { callerOf } from '../client/requests.ts'
import { type HeldItem, hold } from '../model/board.ts'
import { type Filters, readFilters, writeFilters } from '../model/filters.ts'

/** What many parts of the page of a repository need. */
interface SceneOfPage {
  call: ReturnType<typeof callerOf>
  githubRepository: string | undefined
  /** Whether the viewer may change records now. */
  mayWrite: boolean
  filters: Filters
  /** The filters as one text, and what else lets lists show all that is new at once where it changes. */
  query: string
  changeFilters: ChangeFilters
  /** Asks for what is new at once, after a change. */
  refresh(): void
}

/** `Dashboard` provides it. */
export const Scene = createContext({} as SceneOfPage)

type ChangeFilters = (change: Partial<Filters>, isStep?: boolean) => void

/** The filters of the address. A step adds an entry to the browser's history; typing does not. */
export function useFilters(): [Filters, ChangeFilters] {
  const [filters, setFilters] = useState(() => readFilters(location.search))
  useEffect(() => {
    window.addEventListener('popstate', () => setFilters(readFilters(location.search)))
  }, [])
  const change = useCallback<ChangeFilters>((part, isStep = false) => {
    const next = { ...readFilters(location.search), ...part }
    history[isStep ? 'pushState' : 'replaceState'](null, '', location.pathname + writeFilters(location.search, next))
    setFilters(next)
  }, [])
  return [filters, change]
}

/**
 * Items that do not move under a reader. Their contents stay live. What is new waits until `release`, another query, or a hidden
 * tab.
 */
export function useHeld<Item>(items: readonly Item[], keyOf: (item: Item) => string, query = '') {
  const last = useRef<{ query: string; held: readonly HeldItem<Item>[] }>(undefined)
  const [, redraw] = useState({})
  const shown = last.current?.query === query && !document.hidden ? last.current.held : undefined
  const { held, waiting } = hold(shown, items, keyOf)
  last.current = { query, held }
  const release = () => {
    last.current = undefined
    redraw({})
  }
  return { held, waiting, release }
}

const acts: Readonly<Record<string, () => void>> = {
  '/': () => document.getElementById('q')?.focus(),
  j: () => stepCard(1),
  k: () => stepCard(-1),
  m: () => document.getElementById('mine')?.click(),
  '?': () => document.getElementById('show-keys')?.click(),
}

/** The keys of the page. Nothing is taken from somebody who types, or from a dialog. */
export function useKeys(): void {
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
  }, [])
}

function stepCard(by: 1 | -1): void {
  const all = document.querySelectorAll<HTMLElement>('.card-toggle')
  const cards = [...all].filter((card) => card.getClientRects().length > 0)
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
