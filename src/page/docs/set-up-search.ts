import { type Entry, search } from '../model/search-docs.ts'

const most = 40

function element(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.append(...children)
  return made
}

function placeOf(kind: Entry['kind'], place: string): string {
  if (place === '') return kind
  return kind === 'Operation' ? place : `${kind} · ${place}`
}

function resultOf({ name, kind, place, href }: Entry): HTMLElement {
  const link = document.createElement('a')
  link.href = href
  const isCode = kind === 'Field' || kind === 'Error'
  link.append(element(isCode ? 'code' : 'span', 'result', name))
  link.append(element('span', 'place', placeOf(kind, place)))
  return element('li', '', link)
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Lists what matches the text in the search field, instead of the contents. `/` goes to the field. */
export function setUpSearch(contents: HTMLElement, entries: readonly Entry[]): void {
  const input = contents.querySelector<HTMLInputElement>('input[type=search]')
  const results = contents.querySelector<HTMLElement>('#results')
  const list = contents.querySelector<HTMLElement>('.list')
  const status = contents.querySelector<HTMLElement>('[role=status]')
  if (!input || !results || !list || !status) return

  const show = () => {
    const found = search(entries, input.value)
    const isSearching = input.value.trim() !== ''
    results.replaceChildren(...found.slice(0, most).map(resultOf))
    results.hidden = !isSearching
    list.hidden = isSearching
    const more = found.length > most ? `, the first ${most} are shown` : ''
    status.textContent = isSearching ? `${found.length === 1 ? '1 result' : `${found.length} results`}${more}` : ''
  }

  const links = () => [...results.querySelectorAll('a')]
  const move = (step: number) => {
    const all = links()
    const at = all.findIndex((link) => link.matches(':focus'))
    const next = at + step
    if (next < 0) input.focus()
    else all[next]?.focus()
  }

  input.addEventListener('input', show)
  contents.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (results.hidden) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      move(key === 'ArrowDown' ? 1 : -1)
    } else if (key === 'Enter' && target === input) {
      links()[0]?.click()
    } else if (key === 'Escape') {
      event.preventDefault()
      input.value = ''
      input.focus()
      show()
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    if (contents.getClientRects().length === 0) contents.showPopover()
    input.focus()
    input.select()
  })
  // A browser may restore the text of an earlier visit.
  show()
}
