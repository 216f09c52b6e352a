import { visibleParts } from '../../model/visible-text.ts'

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
