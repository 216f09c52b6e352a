import type { Activity } from '../../../activity/schema.ts'
import type { Severity } from '../../../enums.ts'
import { pullNumber } from '../../../sentence/collision-words.ts'
import { sourceWords } from '../../model/describe.ts'
import { Icon } from './icon.tsx'

const shapes = {
  high: 'M8 1.2 15.6 14.6H.4z',
  medium: 'M8 1.200 14.800 8 8 14.800 1.200 8z',
  low: 'M8 2.500a5.500 5.500 0 1 1 0 11 5.500 5.500 0 0 1 0-11z',
} as const

const words = { high: 'High', medium: 'Medium', low: 'Low' } as const

/** The severity of a collision as a word, a shape and a colour. */
export function SeverityMark({ severity, hasWord = true }: { severity: Severity; hasWord?: boolean }) {
  return (
    <span class={`severity severity-${severity}`}>
      <svg class="severity-shape" viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[severity]} />
        {severity === 'high' && <path class="severity-sign" d="M8 6v4M8 12.2v.4" />}
      </svg>
      <span class={hasWord ? undefined : 'visually-hidden'}>{words[severity]}</span>
    </span>
  )
}

/** The source of the work: recorded, or observed at GitHub. */
export function SourceMark({ activity, hasWord = true }: { activity: Activity; hasWord?: boolean }) {
  const { source } = activity
  const number = pullNumber(activity)
  const isPull = source === 'pull_request' && number !== undefined
  const label = isPull ? `Pull request #${number}` : sourceWords[source]
  return (
    <span
      class={`source source-${source}`}
      title={source === 'recorded' ? 'Somebody recorded this work' : 'Seen at GitHub by itself'}
    >
      <Icon name={source} />
      <span class={hasWord ? undefined : 'visually-hidden'}>{label}</span>
    </span>
  )
}

/** A source with its word, for a legend. */
export function SourceWord({ source }: { source: Activity['source'] }) {
  return (
    <span class={`source source-${source}`}>
      <Icon name={source} />
      {sourceWords[source]}
    </span>
  )
}
