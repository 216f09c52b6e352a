import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Level } from '../core/enums.ts'
import { isOtherName, pullName } from '../core/names.ts'
import type { Activity } from '../core/schemas/activity.ts'
import type { Part } from '../core/texts/sentence.ts'
import { ago } from '../core/texts/words.ts'
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
  return <bdi class="path">{unturned(children)}</bdi>
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
    <time class="meta" dateTime={at} title={at}>
      {ago(new Date(at), now)}
    </time>
  )
}

type Tone = 'high' | 'medium' | 'accent' | ''

export function toneOf(level: Level): Tone {
  return level === 'critical' ? 'high' : level === 'low' ? '' : level
}

export function Chip({ tone = '', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>
}

/** Who works, by which account and with which agent, and where: `#41` as a link, else the branch. */
export function Who({ work, isMine }: { work: Activity; isMine: boolean }) {
  const { actor, agent, author_login, pr_url, branch } = work
  // The address of the page is `/OWNER/REPO`.
  const pull = pullName(work, location.pathname.slice(1))
  return (
    <>
      <strong>
        <Text>{actor}</Text>
      </strong>
      {isOtherName(author_login, actor) && (
        <span class="muted">
          <Text>{author_login}</Text>
        </span>
      )}
      {isMine && <Chip tone="accent">you</Chip>}
      {agent !== null && agent !== actor && (
        <span class="muted">
          with <Text>{agent}</Text>
        </span>
      )}
      {pr_url !== null && pull !== null ? <Link to={pr_url}>{pull}</Link> : branch !== null && <Path>{branch}</Path>}
    </>
  )
}

/** A panel with a heading and a list, which is never empty: `empty` says what it would show. */
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
      <header class="row">
        <h2 id={id} class="grow">
          {name} {count > 0 && <small class="muted">{count}</small>}
        </h2>
        {action}
      </header>
      <ul class="list">{count === 0 ? <li class="muted">{empty}</li> : children}</ul>
    </section>
  )
}

/** Archives a record: asks first, and says beside itself why it failed. */
export function Archive({ name, title, act }: { name: string; title: string; act(): Promise<unknown> }) {
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState('')
  async function run() {
    if (!confirm(`${name}: “${unturned(title)}”?`)) return
    setIsBusy(true)
    const failed = await faultOf(act())
    setFault(failed)
    // Where it is archived, the button goes with the next reading.
    setIsBusy(failed === '')
  }
  return (
    <span class="row end">
      <button
        type="button"
        class="button small"
        aria-label={`${name}: ${unturned(title)}`}
        disabled={isBusy}
        onClick={run}
      >
        {name}
      </button>
      <Fault>{fault}</Fault>
    </span>
  )
}

export function Fault({ children }: { children: string }) {
  if (children === '') return null
  return (
    <span role="alert" class="fault">
      {children}
    </span>
  )
}

/** Why something failed, for people; empty where it did not. */
export async function faultOf(done: Promise<unknown>): Promise<string> {
  try {
    await done
    return ''
  } catch (error) {
    return error instanceof Problem ? error.message : 'That did not work.'
  }
}
