import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiResponse } from '../../client/requests.ts'
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
    <button
      type="button"
      class={hasText ? 'button' : 'icon-button'}
      onClick={copy}
      title={hasText ? text : label}
      {...(!hasText && { 'aria-label': label })}
    >
      <Icon name={result === 'Copied' ? 'check' : result ? 'close' : 'copy'} />
      {hasText && label}
      <span class="visually-hidden" role="status">
        {result}
      </span>
    </button>
  )
}

interface AskButtonProps {
  label: string
  /** Says what the button is about, for those who hear it alone. */
  name: string
  /** What happens, on the button that does it. */
  confirm: string
  act(): Promise<ApiResponse<unknown>>
  onDone(): void
}

/** A button that changes something for everybody, after a confirmation. */
export function AskButton({ label, name, confirm, act, onDone }: AskButtonProps) {
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
    setFault(reply.ok ? '' : (reply.refusal?.message ?? 'The service does not answer.'))
    if (!reply.ok) return
    // The button goes with what it is about.
    sure.current?.closest('section')?.querySelector('h2')?.focus()
    onDone()
  }

  if (state === 'idle') {
    return (
      <span class="ask">
        {fault && (
          <span class="fault" role="alert">
            {fault}
          </span>
        )}
        <button type="button" class="text-button" aria-label={`${label} ${name}`} onClick={() => setState('asking')}>
          {label}
        </button>
      </span>
    )
  }
  return (
    <span class="ask">
      <button type="button" class="text-button danger" ref={sure} disabled={state === 'sending'} onClick={send}>
        {confirm}
      </button>
      <button type="button" class="text-button" disabled={state === 'sending'} onClick={() => setState('idle')}>
        Keep
      </button>
    </span>
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

interface HeldButtonProps {
  held: { items: readonly { isGone: boolean }[]; waiting: readonly unknown[]; release(): void }
}

/** Shows what waits, so that nothing moves under a reader before. */
export function HeldButton({ held: { items, waiting, release } }: HeldButtonProps) {
  const gone = items.filter(({ isGone }) => isGone).length
  if (waiting.length + gone === 0) return null
  const texts = [...(waiting.length > 0 ? [`${waiting.length} new`] : []), ...(gone > 0 ? [`${gone} over`] : [])]
  return (
    <button
      type="button"
      class="button button-new"
      onClick={({ currentTarget }) => {
        currentTarget.closest('section')?.querySelector('h2')?.focus()
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
    <div class="toolbar" role="toolbar" aria-label={label} ref={bar} onKeyDown={onKey}>
      {children}
    </div>
  )
}
