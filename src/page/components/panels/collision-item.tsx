import { useId, useState } from 'preact/hooks'
import { adviceOn, linesText } from '../../../sentence/collision-words.ts'
import type { ShownCollision } from '../../model/collisions.ts'
import { pairName, placeOfPair } from '../../model/describe.ts'
import { visibleText } from '../../model/visible-text.ts'
import { Age } from '../parts/age.tsx'
import { Icon } from '../parts/icon.tsx'
import { SeverityMark } from '../parts/marks.tsx'
import { Code, Text } from '../parts/text.tsx'
import { CollisionSide } from './collision-side.tsx'

interface CollisionItemProps {
  collision: ShownCollision
  /** Whether it no longer collides and is shown only while somebody reads. */
  isGone: boolean
  onShow(activityId: string): void
}

/** One pair: its severity, the place, the people, its age, and the advice. */
export function CollisionItem({ collision, isGone, onShow }: CollisionItemProps) {
  const { pair, newer, earlier } = collision
  const [isOpen, setIsOpen] = useState(false)
  const reasonId = useId()
  const { path, areas } = placeOfPair(pair)
  const lines = linesText(pair.lines)
  const [newerId = '', earlierId = ''] = pair.activity_ids
  return (
    <li class={`collision collision-${pair.severity}${isGone ? ' is-gone' : ''}`}>
      <div class="collision-head">
        <SeverityMark severity={pair.severity} />
        <span class="collision-place">
          {path !== null && <Code>{path}</Code>}
          {areas.length > 0 && (
            <span>
              {areas.length === 1 ? 'area ' : 'areas '}
              <Text>{areas.join(', ')}</Text>
            </span>
          )}
          {path === null && areas.length === 0 && <span>the same files</span>}
          {lines && <span class="lines">{lines}</span>}
        </span>
        <span class="collision-since">{isGone ? 'No longer collides' : <Age at={pair.since} />}</span>
      </div>
      <div class="collision-sides">
        <CollisionSide activity={newer} id={newerId} onShow={onShow} />
        <Icon name="meets" />
        <span class="visually-hidden">collides with</span>
        <CollisionSide activity={earlier} id={earlierId} onShow={onShow} />
      </div>
      <p class="advice">
        <span>{adviceOn(pair)}</span>
        <button
          type="button"
          class="text-button"
          aria-expanded={isOpen}
          aria-controls={reasonId}
          aria-label={`Why? ${visibleText(pairName(collision))}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Why?
        </button>
      </p>
      <p class="reason" id={reasonId} hidden={!isOpen}>
        <Text>{pair.reason}</Text>
      </p>
    </li>
  )
}
