import type { ComponentChildren } from 'preact'

interface PanelProps {
  id: string
  title: string
  /** Shown after the title. */
  count?: string | undefined
  /** Whether the order of its rows is held while somebody reads. */
  holds?: boolean
  /** Shown at the end of the title's line. */
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

/** Moves the focus to the heading of the panel, before the focused element is removed. */
export function focusPanel(element: Element): void {
  element.closest('section')?.querySelector('h2')?.focus()
}

/** The button that shows the changes that are held back. */
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

/** The text of an empty panel. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
