import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SentencePart } from '../../../sentence/collision-words.ts'
import { visibleParts } from '../../model/visible-text.ts'
import { agoText, untilText } from '../../model/words.ts'

/** Other people's text. Its writing direction is isolated, and invisible characters are shown by name. */
export function Text({ children }: { children: string }) {
  return (
    <bdi>
      {visibleParts(children).map(({ text, isHidden }, index) =>
        isHidden ? (
          <span key={index} class="hidden-character" title="A character that is not visible">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  )
}

/** A path, a glob or a branch. */
export function Code({ children }: { children: string }) {
  return (
    <code>
      <Text>{children}</Text>
    </code>
  )
}

/** A sentence with other people's words in it. */
export function Parts({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <>
      {parts.map(({ text, is }, index) => {
        if (is === 'name') return <Text key={index}>{text}</Text>
        if (is === 'path') return <Code key={index}>{text}</Code>
        if (is === 'lines') return <strong key={index}>{text}</strong>
        return text
      })}
    </>
  )
}

/** The current time in ms, from which ages are computed. */
export const Now = createContext(Date.now())

/** How long ago a time was, or how long it is until then. The title is the time itself. */
export function Age({ at, before = '', isAhead = false }: { at: string; before?: string; isAhead?: boolean }) {
  const now = useContext(Now)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {isAhead ? untilText(at, now) : agoText(at, now)}
    </time>
  )
}
