import { isBy } from '../core/texts/sentence.ts'
import type { Card } from './model.ts'
import { Age, Lines, Mark, Panel, Path, Text, Where, Who } from './parts.tsx'

interface Props {
  cards: readonly Card[]
  login: string | null
  now: Date
  empty: string
}

/** Where two or more works meet: a card a file, issue or area. */
export function Cards({ cards, login, now, empty }: Props) {
  return (
    <Panel name="Collides" count={cards.length} empty={empty}>
      <ul class="list">
        {cards.map((card) => (
          <li key={card.key} class={card.isMine ? 'card is-mine' : 'card'}>
            <details open={card.isMine}>
              <summary>
                <Mark level={card.severity} />
                <span class="place">
                  <Place {...card.place} />
                </span>
                <span class="names muted">
                  <Names card={card} login={login} />
                </span>
              </summary>
              <ul class="works">
                {card.works.map(({ activity, lines }) => (
                  <li key={activity.id}>
                    <Who work={activity} isMine={isBy(activity, login)} />
                    <Where work={activity} />
                    <span class="grow">
                      <Text>{activity.title}</Text>
                    </span>
                    <Lines lines={lines} />
                    <span class="muted">
                      <Age at={activity.heartbeat_at ?? activity.began_at} now={now} />
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Place({ kind, text }: Card['place']) {
  if (kind === 'path') return <Path>{text}</Path>
  return (
    <>
      {kind} <Text>{text}</Text>
    </>
  )
}

/** `You and carla`, so that a folded card says enough. */
function Names({ card, login }: { card: Card; login: string | null }) {
  const names = new Map(
    card.works.map(({ activity }) => [isBy(activity, login) ? '' : `${activity.actor} ${activity.agent}`, activity]),
  )
  return (
    <>
      {[...names].slice(0, 4).map(([key, activity], index) => (
        <span key={key}>
          {index > 0 && ', '}
          {key === '' ? 'You' : <Text>{activity.actor}</Text>}
        </span>
      ))}
      {names.size > 4 && ` and ${names.size - 4} more`}
    </>
  )
}
