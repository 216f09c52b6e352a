import type { Notable } from '../../core/schemas/notable.ts'
import type { Sentence } from '../../core/texts/sentence/sentence.ts'
import { textOf } from '../../core/texts/sentence/sentence-parts.ts'
import { useHeld } from '../hooks/use-view.ts'
import { endOf } from '../model/words.ts'
import { CopyButton, Toolbar } from './parts/controls.tsx'
import { Age, Decision, OutLink, Parts, Sign, Text } from './parts/marks.tsx'

/** A bar for each blocking or critical notable about the whole repository. One that comes later lies over the page. */
export function FreezeBars({ freezes }: { freezes: readonly Notable[] }) {
  const { held, waiting } = useHeld(freezes, ({ id }) => id)
  return (
    <>
      {held.map(({ key, item, isGone }) => (
        <Bar key={key} freeze={item} isGone={isGone} />
      ))}
      {waiting.length > 0 && (
        <div class="late" role="alert">
          {waiting.map((freeze) => (
            <Bar key={freeze.id} freeze={freeze} isGone={false} />
          ))}
        </div>
      )}
    </>
  )
}

function Bar({ freeze, isGone }: { freeze: Notable; isGone: boolean }) {
  const { title, summary } = freeze
  return (
    <p class={`flow bar${isGone ? ' is-gone' : ''}`}>
      <strong class="fault">
        <Sign>▲</Sign>
        <Text>{title}</Text>
      </strong>
      {summary !== title && <Text>{summary}</Text>}
      <span class="muted">{isGone ? 'over' : <Age at={endOf(freeze)} before="ends " isAhead />}</span>
      <Decision of={freeze} />
    </p>
  )
}

interface SentenceCardProps {
  sentence: Sentence
  /** Asks for notifications; undefined where there are none to ask for. */
  onNotify: (() => void) | undefined
}

/** One sentence about the viewer, and the next act. It keeps its height, so that nothing below it moves. */
export function SentenceCard({ sentence: { title, detail, acts, more }, onNotify }: SentenceCardProps) {
  return (
    <section class="box stack sentence" aria-labelledby="sentence-title">
      <h2 id="sentence-title" key={textOf(title)}>
        <Parts parts={title} />
      </h2>
      <p key={textOf(detail)}>
        <Parts parts={detail} />
      </p>
      <Toolbar label="What to do next">
        {acts.map((act, index) =>
          act.kind === 'copy' ? (
            <CopyButton key={act.label} text={act.text} label={act.label} />
          ) : (
            <OutLink key={act.label} href={act.href} class={`button${index === 0 ? ' button-main' : ''}`}>
              {act.label}
            </OutLink>
          ),
        )}
        {onNotify && (
          <button type="button" class="button end" onClick={onNotify}>
            Notify me of new ones
          </button>
        )}
      </Toolbar>
      <p class="muted">{more}</p>
    </section>
  )
}
