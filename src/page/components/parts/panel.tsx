import type { ComponentChildren } from 'preact'

interface PanelProps {
  id: string
  title: string
  /** Behind the title. */
  count?: string | undefined
  /** Whether its rows stay where they are while somebody reads them. */
  holds?: boolean
  /** At the end of the line of the title. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A region of the page with a heading. */
export function Panel({ id, title, count, holds = false, actions, children }: PanelProps) {
  return (
    <section class={holds ? 'panel holds' : 'panel'} id={id} aria-labelledby={`${id}-title`}>
      <header class="panel-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </h2>
        <div class="panel-actions">{actions}</div>
      </header>
      {children}
    </section>
  )
}

/** Puts the focus on the heading of the panel, before the element that has it goes away. */
export function focusPanel(element: Element): void {
  element.closest('section')?.querySelector('h2')?.focus()
}

/** Appears while changes of the order wait, since somebody reads. */
export function WaitingButton({ waiting, release }: { waiting: number; release(): void }) {
  if (waiting === 0) return null
  return (
    <button
      type="button"
      class="waiting-button"
      onClick={({ currentTarget }) => {
        focusPanel(currentTarget)
        release()
      }}
    >
      Show {waiting} {waiting === 1 ? 'change' : 'changes'}
    </button>
  )
}

/** What a panel says when it has nothing to show. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
