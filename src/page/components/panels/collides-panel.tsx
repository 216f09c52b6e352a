import { useState } from 'preact/hooks'
import { useSettled } from '../../hooks/use-settled.ts'
import type { ShownCollision } from '../../model/collisions.ts'
import { Empty, Panel, WaitingButton } from '../parts/panel.tsx'
import { CollisionItem } from './collision-item.tsx'

interface CollidesPanelProps {
  collisions: readonly ShownCollision[]
  /** The number of pairs without the filters. */
  total: number
  /** How far the work is compared; undefined where all of it is. */
  comparing: string | undefined
  isReading: boolean
  filterQuery: string
  onShow(activityId: string): void
}

/** How many pairs are shown at first. */
const step = 50

/** The pairs of activities that collide, worst first. */
export function CollidesPanel({ collisions, total, comparing, isReading, filterQuery, onShow }: CollidesPanelProps) {
  const [most, setMost] = useState(step)
  const { items, waiting, release } = useSettled(collisions, ({ key }) => key, isReading, filterQuery)
  const count = collisions.length === total ? `${total}` : `${collisions.length} of ${total}`
  return (
    <Panel
      id="collides"
      title="Collides"
      holds
      count={count}
      actions={<WaitingButton waiting={waiting} release={release} />}
    >
      {items.length === 0 ? (
        <Empty>
          {total > 0
            ? 'No collision passes the filters.'
            : (comparing ?? 'Nothing collides. Whoever begins something that does appears here at once.')}
        </Empty>
      ) : (
        <>
          {comparing && <p class="empty">{comparing}</p>}
          <ul class="collisions">
            {items.slice(0, most).map(({ key, item, isGone }) => (
              <CollisionItem key={key} collision={item} isGone={isGone} onShow={onShow} />
            ))}
          </ul>
          {items.length > most && (
            <p class="empty">
              <button type="button" class="text-button" onClick={() => setMost(most + step)}>
                Show {Math.min(step, items.length - most)} more of {items.length}
              </button>
            </p>
          )}
        </>
      )}
    </Panel>
  )
}
