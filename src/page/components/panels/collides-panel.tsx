import { useSettled } from '../../hooks/use-settled.ts'
import type { Collision } from '../../model/collisions.ts'
import { Empty, Panel, WaitingButton } from '../parts/panel.tsx'
import { CollisionItem } from './collision-item.tsx'

interface CollidesPanelProps {
  collisions: readonly Collision[]
  /** How many there are without the filters. */
  total: number
  isReading: boolean
  question: string
  onShow(activityId: string): void
}

/** The pairs of activities that collide, worst first. */
export function CollidesPanel({ collisions, total, isReading, question, onShow }: CollidesPanelProps) {
  const { items, waiting, release } = useSettled(collisions, ({ key }) => key, isReading, question)
  const count = collisions.length === total ? `${total}` : `${collisions.length} of ${total}`
  return (
    <Panel id="collides" title="Collides" count={count} actions={<WaitingButton waiting={waiting} release={release} />}>
      {items.length === 0 ? (
        <Empty>
          {total > 0
            ? 'No collision passes the filters.'
            : 'Nothing collides. Whoever begins something that does appears here at once.'}
        </Empty>
      ) : (
        <ul class="collisions">
          {items.map(({ key, item, isGone }) => (
            <CollisionItem key={key} collision={item} isGone={isGone} onShow={onShow} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
