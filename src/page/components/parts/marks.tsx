import { type AnchorHTMLAttributes, createContext, Fragment } from 'preact'
import { useContext } from 'preact/hooks'
import type { Severity } from '../../../core/enums.ts'
import type { Activity } from '../../../core/schemas/activity.ts'
import type { Notable } from '../../../core/schemas/notable.ts'
import { ago } from '../../../core/texts/age.ts'
import type { SentencePart } from '../../../core/texts/sentence/sentence-parts.ts'
import { visibleParts } from '../../model/visible-text.ts'
import { safeLink, untilText } from '../../model/words.ts'

const drawings = {
  recorded: 'M3 13l.7-3L10.5 3.2a1.4 1.4 0 0 1 2 0l.3.3a1.4 1.4 0 0 1 0 2L6 12.3 3 13zM9.3 4.4l2.3 2.3',
  pull_request:
    'M4 6v4M12 10V7a2 2 0 0 0-2-2H8m0 0 2-2M8 5l2 2M5.75 4.25a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0zm0 7.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0zm8 0a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0z',
  branch:
    'M4.5 6v4M11.5 6v.5a2.5 2.5 0 0 1-2.5 2.5H7a2.5 2.5 0 0 0-2.5 2M6.25 4.25a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0zm0 7.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0zm7-7.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0z',
  copy: 'M5.5 5.5h7v7h-7zM10.5 5.5v-2h-7v7h2',
  check: 'M3.5 8.5l3 3 6-7',
  external: 'M6.5 4h-3v8.5H12v-3M9 3.5h3.5V7M12.2 3.8 7.5 8.5',
  close: 'M4 4l8 8M12 4l-8 8',
} as const

/** A drawing beside a word that says the same. */
export function Icon({ name }: { name: keyof typeof drawings }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}

/** A shape beside a word that says the same. */
export function Sign({ children, class: colour }: { children: string; class?: string }) {
  return (
    <span class={colour} aria-hidden="true">
      {children}{' '}
    </span>
  )
}

const severities = {
  high: ['▲', 'High', 'fault'],
  medium: ['◆', 'Medium', 'warn'],
  low: ['●', 'Low', 'muted'],
} as const

/** The severity of a collision as a word, a shape and a colour. */
export function SeverityMark({ severity, hasWord = true }: { severity: Severity; hasWord?: boolean }) {
  const [sign, word, colour] = severities[severity]
  return (
    <strong class={colour}>
      <Sign>{sign}</Sign>
      <span class={hasWord ? undefined : 'visually-hidden'}>{word}</span>
    </strong>
  )
}

const sourceWords = { recorded: 'Recorded', pull_request: 'Pull request', branch: 'Pushed branch' }

/** How the work is known: recorded, or observed at GitHub. */
export function SourceMark({ source, hasWord = false }: { source: Activity['source']; hasWord?: boolean }) {
  const title = source === 'recorded' ? 'Somebody recorded this work' : 'Seen at GitHub by itself'
  return (
    <span class={`source source-${source}`} title={title}>
      <Icon name={source} /> <span class={hasWord ? undefined : 'visually-hidden'}>{sourceWords[source]}</span>
    </span>
  )
}

/** A link to another site, in a tab of its own. */
export function OutLink({ children, ...rest }: AnchorHTMLAttributes) {
  return (
    <a target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
      <Icon name="external" />
    </a>
  )
}

/**
 * Other people's text. Its writing direction is isolated, and invisible characters are shown by name. A line may end after a
 * slash, as those of a path do.
 */
export function Text({ children }: { children: string }) {
  return (
    <bdi>
      {visibleParts(children).flatMap(({ text, isHidden }, index) =>
        isHidden ? (
          <span key={index} class="badge warn" title="A character that is not visible">
            {text}
          </span>
        ) : (
          text.split(/(?<=\/)(?=.)/).flatMap((piece, at) => (at > 0 ? [<wbr key={`${index} ${at}`} />, piece] : piece))
        ),
      )}
    </bdi>
  )
}

export function Code({ children }: { children: string }) {
  return (
    <code>
      <Text>{children}</Text>
    </code>
  )
}

export function Agent({ work: { actor, agent }, ...rest }: { work: Activity; class: string }) {
  if (!agent || agent === actor) return null
  return (
    <span {...rest}>
      with <Text>{agent}</Text>
    </span>
  )
}

export function Decision({ of: { decision_url } }: { of: Notable }) {
  const link = safeLink(decision_url)
  return link === undefined ? null : <OutLink href={link}>Decision</OutLink>
}

interface PlacesProps {
  paths: readonly string[]
  areas: readonly string[]
  most: number
  none: string
}

/** Where a record is: its first paths, and its areas. */
export function Places({ paths, areas, most, none }: PlacesProps) {
  return (
    <>
      {paths.slice(0, most).map((path) => (
        <Code key={path}>{path}</Code>
      ))}
      {paths.length > most && <span class="sub">and {paths.length - most} more</span>}
      {areas.map((area) => (
        <span key={area} class="badge">
          <Text>{area}</Text>
        </span>
      ))}
      {paths.length + areas.length === 0 && <span class="sub">{none}</span>}
    </>
  )
}

const partKinds = { name: Text, path: Code, lines: Lines, plain: Fragment }

/** A sentence with other people's words in it. */
export function Parts({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <>
      {parts.map(({ text, is }, index) => {
        const Part = partKinds[is]
        return <Part key={index}>{text}</Part>
      })}
    </>
  )
}

export function Lines({ children }: { children: string }) {
  return <strong class="fault">{children}</strong>
}

/** The current time in ms, from which ages are computed. */
export const Now = createContext(Date.now())

interface AgeProps {
  at: string
  before?: string
  isAhead?: boolean
  class?: string
}

/** How long ago a time was, or how long it is until then. The title is the time itself. */
export function Age({ at, before = '', isAhead = false, ...rest }: AgeProps) {
  const now = useContext(Now)
  return (
    <time {...rest} dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {isAhead ? untilText(at, now) : ago(new Date(at), new Date(now))}
    </time>
  )
}
