import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiResponse, faultOf } from '../../client/requests.ts'
import { type Held, Scene, useHeld } from '../../hooks/use-view.ts'
import { Icon } from './marks.tsx'

interface CopyButtonProps {
  text: string
  label: string
  /** A button with its label as text; otherwise one with a sign alone. */
  hasText?: boolean
}

/** Copies a text, and shows for a moment whether it worked. Its size stays the same. */
export function CopyButton({ text, label, hasText = false }: CopyButtonProps) {
  const [result, setResult] = useState<'Copied' | 'Not copied'>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () => {
    // Browsers have no clipboard for pages without TLS.
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    writing.then(
      () => setResult('Copied'),
      () => setResult('Not copied'),
    )
  }
  return (
    <button type="button" class={hasText ? 'button' : 'icon-button'} onClick={copy} title={hasText ? text : label}>
      <Icon name={result === 'Copied' ? 'check' : result ? 'close' : 'copy'} />
      <span class={hasText ? undefined : 'visually-hidden'}>{label}</span>
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
function focusHeading(button: Element | null): void {
  button?.closest('section')?.querySelector('h2')?.focus()
}

/** A button that changes something for everybody, mostly after a confirmation. */
export function ActButton({ label, name, confirm, act }: ActButtonProps) {
  const { refresh } = useContext(Scene)
  const [state, setState] = useState<'idle' | 'asking' | 'sending'>('idle')
  const [fault, setFault] = useState('')
  const sure = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (state === 'asking') sure.current?.focus()
  }, [state])

  async function send() {
    setState('sending')
    const reply = await act()
    setState('idle')
    setFault(faultOf(reply))
    if (!reply.ok) return
    // The button goes with what it is about.
    focusHeading(sure.current)
    refresh()
  }

  const isSending = state === 'sending'
  return (
    <span class="flow">
      {fault && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
      {confirm === undefined || state === 'idle' ? (
        <button
          type="button"
          class="text-button"
          aria-label={`${label} ${name}`}
          onClick={confirm === undefined ? send : () => setState('asking')}
        >
          {label}
        </button>
      ) : (
        <>
          <button type="button" class="text-button fault" ref={sure} disabled={isSending} onClick={send}>
            {confirm}
          </button>
          <button type="button" class="text-button" disabled={isSending} onClick={() => setState('idle')}>
            Keep
          </button>
        </>
      )}
    </span>
  )
}

interface DialogProps {
  title: string
  onClose(): void
  /** Gets the function that closes it. */
  children(close: () => void): ComponentChildren
}

/** A dialog that is open as long as it is drawn. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={onClose}>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}

interface PanelProps {
  id: string
  title: string
  /** Shown after the title. */
  count?: string | undefined
  /** Shown at the end of the title's line. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A region of the page with a heading. */
export function Panel({ id, title, count, actions, children }: PanelProps) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <header class="flow panel-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </h2>
        <div class="flow panel-actions">{actions}</div>
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
  /** Whether there are more, which were not sent. */
  isCut?: boolean
  /** Said of the count. */
  more?: string
  /** Said in place of why the list is empty. */
  note?: string | undefined
  /** What is said where there is nothing, and where nothing passes the filters. */
  none: string
  nonePasses: string
  children(items: Held<Item>['items']): ComponentChildren
}

/** A panel with a list in which nothing moves under a reader: what is new waits behind a button. */
export function ListPanel<Item>(props: ListPanelProps<Item>) {
  const { items, keyOf, total, isCut = false, more = '', note, none, nonePasses, actions, children, ...rest } = props
  const held = useHeld(items, keyOf, useContext(Scene).query)
  const all = `${total}${isCut ? '+' : ''}`
  const empty = held.waiting.length > 0 ? 'What is new waits above.' : total > 0 ? nonePasses : none
  return (
    <Panel
      {...rest}
      count={`${items.length === total ? all : `${items.length} of ${all}`}${more}`}
      actions={
        <>
          <HeldButton held={held} />
          {actions}
        </>
      }
    >
      {(note || held.items.length === 0) && <p class="line muted">{note ?? empty}</p>}
      {children(held.items)}
    </Panel>
  )
}

/** Shows what waits. */
function HeldButton<Item>({ held: { items, waiting, release } }: { held: Held<Item> }) {
  const gone = items.filter(({ isGone }) => isGone).length
  if (waiting.length + gone === 0) return null
  const texts = [...(waiting.length > 0 ? [`${waiting.length} new`] : []), ...(gone > 0 ? [`${gone} over`] : [])]
  return (
    <button
      type="button"
      class="button button-new"
      onClick={({ currentTarget }) => {
        focusHeading(currentTarget)
        release()
      }}
    >
      {texts.join(', ')}
    </button>
  )
}

/** Buttons that are one Tab stop: the arrow keys go from one to the next. */
export function Toolbar({ label, children }: { label: string; children: ComponentChildren }) {
  const bar = useRef<HTMLDivElement>(null)
  const at = useRef(0)
  const items = () => [...(bar.current?.querySelectorAll<HTMLElement>('a, button') ?? [])]
  const mark = () => {
    const all = items()
    at.current = Math.min(at.current, Math.max(all.length - 1, 0))
    for (const [index, item] of all.entries()) item.tabIndex = index === at.current ? 0 : -1
  }
  useEffect(mark)
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const all = items()
    if (by === 0 || all.length === 0) return
    event.preventDefault()
    at.current = (at.current + by + all.length) % all.length
    mark()
    all[at.current]?.focus()
  }
  return (
    <div class="flow toolbar" role="toolbar" aria-label={label} ref={bar} onKeyDown={onKey}>
      {children}
    </div>
  )
}
