import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ApiResponse } from '../../client/requests.ts'
import { Scene, useHeld } from '../../hooks/use-view.ts'
import type { HeldItem } from '../../model/board.ts'
import { Icon } from './marks.tsx'

/** Copies a text, and shows for a moment whether it worked. Its size stays the same. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<'Copied' | 'Not copied'>()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setResult('Copied')
    } catch {
      // Browsers have no clipboard for pages without TLS.
      setResult('Not copied')
    }
    setTimeout(() => setResult(undefined), 2_000)
  }
  return (
    <button type="button" class="button" onClick={copy} title={text}>
      <Icon name={result === 'Copied' ? 'check' : result ? 'close' : 'copy'} />
      {label}
      <span class="visually-hidden" role="status">
        {result}
      </span>
    </button>
  )
}

interface ActButtonProps {
  label: string
  /** Says what the button is about, for those who hear it alone. */
  name: string
  /** What happens, on a second button that does it. Without it the first one does. */
  confirm?: string
  act(): Promise<ApiResponse<unknown>>
}

/** Moves the focus from a button that goes to the heading of its panel. */
function focusHeading(button: Element): void {
  button.closest('section')?.querySelector('h2')?.focus()
}

/** What sends a change, and shows why it was refused. Afterwards the page asks for what is new. */
export function useChange() {
  const { refresh } = useContext(Scene)
  const [isSending, setIsSending] = useState(false)
  const [fault, setFault] = useState('')
  async function send(request: Promise<ApiResponse<unknown>>, onDone: () => void) {
    setIsSending(true)
    const reply = await request
    setIsSending(false)
    setFault(reply.ok ? '' : reply.problem.message)
    if (!reply.ok) return
    onDone()
    refresh()
  }
  const alert = fault && (
    <span class="fault" role="alert">
      {fault}
    </span>
  )
  return { isSending, alert, send }
}

/** A button that changes something for everybody, mostly after a confirmation. */
export function ActButton({ label, name, confirm, act }: ActButtonProps) {
  const { isSending, alert, send } = useChange()
  // A button goes with what it is about, unless it needs no confirmation.
  const onClick = ({ currentTarget: button }: { currentTarget: Element }) =>
    send(act(), () => confirm !== undefined && focusHeading(button))
  const about = <span class="visually-hidden"> {name}</span>
  return (
    <>
      {confirm === undefined ? (
        <button type="button" class="text-button" disabled={isSending} onClick={onClick}>
          {label}
          {about}
        </button>
      ) : (
        <details>
          <summary class="text-button">
            {label}
            {about}
          </summary>
          <button type="button" class="text-button fault" disabled={isSending} onClick={onClick}>
            {confirm}
          </button>
        </details>
      )}
      {alert}
    </>
  )
}

interface PanelProps {
  id: string
  title: string
  count?: string | undefined
  actions?: ComponentChildren
  children: ComponentChildren
}

export function Panel({ id, title, count, actions, children }: PanelProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <header class="flow panel-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title} <span class="muted">{count}</span>
        </h2>
        <div class="flow end panel-actions">{actions}</div>
      </header>
      {children}
    </section>
  )
}

interface ListPanelProps<Item> extends Pick<PanelProps, 'id' | 'title' | 'actions'> {
  items: readonly Item[]
  keyOf(item: Item): string
  /** How many there are without the filters. */
  total: number
  /** Said of the count. */
  more?: string
  /** Said in place of why the list is empty. */
  note?: string | undefined
  /** What is said where there is nothing, and where nothing passes the filters. */
  none: string
  nonePasses: string
  /** Of the list. */
  class?: string | undefined
  row(held: HeldItem<Item>): ComponentChildren
  /** How many rows are drawn. */
  most?: number
  /** Shown below the list. */
  after?(held: readonly HeldItem<Item>[]): ComponentChildren
}

/** A panel with a list in which nothing moves under a reader: what is new waits behind a button. */
export function ListPanel<Item>(props: ListPanelProps<Item>) {
  const { items, keyOf, total, more = '', note, none, nonePasses, row, most, after, actions, id, title } = props
  const { held, waiting, release } = useHeld(items, keyOf, useContext(Scene).query)
  const gone = held.filter(({ isGone }) => isGone).length
  const news = [waiting.length > 0 && `${waiting.length} new`, gone > 0 && `${gone} over`].filter(Boolean).join(', ')
  const empty = waiting.length > 0 ? 'What is new waits above.' : total > 0 ? nonePasses : none
  const show = ({ currentTarget }: { currentTarget: Element }) => {
    focusHeading(currentTarget)
    release()
  }
  return (
    <Panel
      {...{ id, title }}
      count={`${items.length === total ? '' : `${items.length} of `}${total}${more}`}
      actions={
        <>
          {news && (
            <button type="button" class="button button-main button-new" onClick={show}>
              {news}
            </button>
          )}
          {actions}
        </>
      }
    >
      {(note || held.length === 0) && <p class="line muted">{note ?? empty}</p>}
      <ul class={props.class}>{held.slice(0, most).map(row)}</ul>
      {after?.(held)}
    </Panel>
  )
}

/** Buttons that are one Tab stop: the arrow keys go from one to the next. */
export function Toolbar({ label, children }: { label: string; children: ComponentChildren }) {
  const bar = useRef<HTMLDivElement>(null)
  const at = useRef(0)
  const mark = (by: number) => {
    const items = [...(bar.current?.querySelectorAll<HTMLElement>('a, button') ?? [])]
    at.current = items.length > 0 ? (Math.min(at.current, items.length - 1) + by + items.length) % items.length : 0
    for (const [index, item] of items.entries()) item.tabIndex = index === at.current ? 0 : -1
    return items[at.current]
  }
  useEffect(() => void mark(0))
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    mark(by)?.focus()
  }
  return (
    <div class="flow toolbar" role="toolbar" aria-label={label} ref={bar} onKeyDown={onKey}>
      {children}
    </div>
  )
}
