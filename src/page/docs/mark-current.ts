/** The link, or the link above it if it is folded. */
function visible(link: HTMLAnchorElement | undefined): HTMLAnchorElement | undefined {
  const isFolded = link?.closest('details:not([open])')
  return isFolded ? (link?.closest('.list > li')?.querySelector('a') ?? undefined) : link
}

/** Marks the link of the contents to the section that is at the top of the window. */
export function markCurrent(contents: HTMLElement, main: Element): void {
  const links = new Map<string, HTMLAnchorElement>()
  for (const link of contents.querySelectorAll<HTMLAnchorElement>('.list a[href^="#"]'))
    links.set(link.hash.slice(1), link)
  const headings = [...main.querySelectorAll('h2[id], h3[id]')].filter(({ id }) => links.has(id))
  let current: HTMLAnchorElement | undefined

  function update(): void {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
    const next = visible(links.get(passed.at(-1)?.id ?? ''))
    if (next === current) return
    current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'true')
    current = next
    if (next) scrollTo(next)
  }

  /** Scrolls the contents alone. `scrollIntoView` would scroll the page too. */
  function scrollTo(link: HTMLElement): void {
    const { top, bottom } = link.getBoundingClientRect()
    const box = contents.getBoundingClientRect()
    if (top < box.top || bottom > box.bottom) contents.scrollTop += top - box.top - box.height / 2
  }

  let isPlanned = false
  addEventListener(
    'scroll',
    () => {
      if (isPlanned) return
      isPlanned = true
      requestAnimationFrame(() => {
        isPlanned = false
        update()
      })
    },
    { passive: true },
  )
  update()
}
