import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { pullNumberOf } from '../core/names.ts'
import type { Activity } from '../core/schemas/activity.ts'
import type { Part } from '../core/texts/sentence.ts'
import { ago, rangeWords } from '../core/texts/words.ts'
import { Problem } from './api.ts'

/** Without the characters that turn a text: one that is not closed would turn the words after it too, `<bdi>` or not. */
export function unturned(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Other people's text: it can not turn the text around it. */
export function Text({ children }: { children: string }) {
  return <bdi>{unturned(children)}</bdi>
}

export function Path({ children }: { children: string }) {
  return (
    <code>
      <Text>{children}</Text>
    </code>
  )
}

export function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map(({ text, is }) => (is === 'plain' ? text : is === 'path' ? <Path>{text}</Path> : <Text>{text}</Text>))}
    </>
  )
}

/** Only pages of the web: other people wrote the address. */
export function Link({ to, children, kind = '' }: { to: string; children: ComponentChildren; kind?: string }) {
  if (!/^https?:\/\//i.test(to)) return <>{children}</>
  return (
    <a class={kind} href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

export function Age({ at, now }: { at: string; now: Date }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(new Date(at), now)}
    </time>
  )
}

const marks = { high: '▲', critical: '▲', medium: '◆', low: '●' } as const

export function Mark({ level }: { level: keyof typeof marks }) {
  return (
    <span class={`mark ${level}`}>
      <span aria-hidden="true">{marks[level]}</span> {level}
    </span>
  )
}

export function Who({ work, isMine }: { work: Pick<Activity, 'actor' | 'agent'>; isMine: boolean }) {
  const { actor, agent } = work
  return (
    <span class="who">
      <strong>
        <Text>{actor}</Text>
      </strong>
      {isMine && <span class="chip accent">you</span>}
      {agent !== null && agent !== actor && (
        <span class="muted">
          with <Text>{agent}</Text>
        </span>
      )}
    </span>
  )
}

/** `#41` as a link, else the branch. */
export function Where({ work }: { work: Pick<Activity, 'pr_url' | 'branch'> }) {
  const number = pullNumberOf(work.pr_url)
  if (work.pr_url !== null && number !== null) return <Link to={work.pr_url}>#{number}</Link>
  return work.branch === null ? null : <Path>{work.branch}</Path>
}

export function Lines({ lines }: { lines: readonly (readonly number[])[] }) {
  if (lines.length === 0) return null
  const shown = lines.slice(0, 3).map(rangeWords).join(', ')
  return <span class="lines">{`lines ${shown}${lines.length > 3 ? ' …' : ''}`}</span>
}

/** A panel with a heading, which is never empty: `empty` says what it would show. */
export function Panel(props: {
  name: string
  count: number
  empty: string
  action?: ComponentChildren
  children: ComponentChildren
}) {
  const { name, count, empty, action, children } = props
  const id = name.toLowerCase().replaceAll(' ', '-')
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>
          {name} <span class="count">{count}</span>
        </h2>
        {action}
      </header>
      {count === 0 ? <p class="empty">{empty}</p> : children}
    </section>
  )
}

/** A button that asks first, and says beside itself why it failed. */
export function Act({ name, label, ask, act }: { name: string; label: string; ask: string; act(): Promise<unknown> }) {
  const [state, setState] = useState<'ready' | 'busy' | Problem>('ready')
  async function run() {
    if (!confirm(ask)) return
    setState('busy')
    try {
      await act()
      setState('ready')
    } catch (error) {
      setState(error instanceof Problem ? error : new Problem('no_answer', 'That did not work.'))
    }
  }
  return (
    <span class="act">
      <button type="button" class="button" aria-label={label} disabled={state === 'busy'} onClick={run}>
        {name}
      </button>
      {state instanceof Problem && (
        <small role="alert" class="fault">
          {state.message}
        </small>
      )}
    </span>
  )
}
