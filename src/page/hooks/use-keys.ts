import { useEffect } from 'preact/hooks'

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
  const cards = [...document.querySelectorAll<HTMLElement>('.card-toggle')]
  const at = cards.findIndex((card) => card.matches(':focus'))
  const next = at === -1 ? (by === 1 ? 0 : cards.length - 1) : Math.min(Math.max(at + by, 0), cards.length - 1)
  cards[next]?.focus()
}
