import { useState } from 'preact/hooks'
import { spansOf } from '../core/changes/spans.ts'
import { isBy } from '../core/texts/sentence.ts'
import { joined, linesOf } from '../core/texts/words.ts'
import type { Card } from './model.ts'
import { Age, Chip, Panel, Path, Text, toneOf, Who } from './parts.tsx'

interface Props {
  cards: readonly Card[]
  login: string | null
  now: Date
  empty: string
}

/** Where two or more works collide: a card a file, issue or area. */
export function Cards({ cards, login, now, empty }: Props) {
  return (
    <Panel name="Collides" count={cards.length} empty={empty}>
      {cards.map((card) => (
        <CardView key={card.key} card={card} login={login} now={now} />
      ))}
    </Panel>
  )
}

/** What is folded is not drawn: hundreds of works may share an area. */
function CardView({
  card: { place, severity, isMine, works },
  login,
  now,
}: Omit<Props, 'cards' | 'empty'> & { card: Card }) {
  const [isOpen, setIsOpen] = useState(isMine)
  return (
    <li class={isMine ? 'is-mine' : ''}>
      <details open={isMine} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          {place.kind === 'path' ? (
            <Path>{place.text}</Path>
          ) : (
            <strong>
              {place.kind} <Text>{place.text}</Text>
            </strong>
          )}
          <Chip tone={toneOf(severity)}>{severity}</Chip>
          <span class="muted end">
            <Text>{namesOf(works, login)}</Text>
          </span>
        </summary>
        <ul>{isOpen && works.map((one) => <Work key={one.activity.id} {...one} login={login} now={now} />)}</ul>
      </details>
    </li>
  )
}

function Work({ activity, lines, login, now }: Card['works'][number] & Pick<Props, 'login' | 'now'>) {
  return (
    <li class="work">
      <span>
        <Text>{activity.title}</Text>
      </span>
      <Age at={activity.heartbeat_at ?? activity.began_at} now={now} />
      <div class="meta">
        <Who work={activity} isMine={isBy(activity, login)} />
      </div>
      {lines.length > 0 && <small class="fault">{linesOf(spansOf(lines))}</small>}
    </li>
  )
}

/** `You and carla`, so that a folded card says enough. */
function namesOf(works: Card['works'], login: string | null): string {
  const names = works.map(({ activity }) => (isBy(activity, login) ? 'You' : activity.actor))
  return joined([...new Set(names)], 4)
}
