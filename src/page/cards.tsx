import { isBy } from '../core/texts/sentence.ts'
import { rangeWords } from '../core/texts/words.ts'
import type { Card } from './model.ts'
import { Age, Mark, Panel, Path, Text, Who } from './parts.tsx'

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
      {cards.map(({ key, place, severity, isMine, works }) => (
        <li key={key} class={isMine ? 'card is-mine' : 'card'}>
          <details open={isMine}>
            <summary>
              <Mark level={severity} />
              <strong class="grow">{place.kind === 'path' ? <Path>{place.text}</Path> : <Label {...place} />}</strong>
              <span class="names muted">
                <Names works={works} login={login} />
              </span>
            </summary>
            <ul>
              {works.map(({ activity, lines }) => (
                <li key={activity.id} class="row">
                  <Who work={activity} isMine={isBy(activity, login)} />
                  <span class="grow">
                    <Text>{activity.title}</Text>
                  </span>
                  {lines.length > 0 && <span class="fault">{lineWords(lines)}</span>}
                  <Age at={activity.heartbeat_at ?? activity.began_at} now={now} />
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </Panel>
  )
}

function Label({ kind, text }: Card['place']) {
  return (
    <>
      {kind} <Text>{text}</Text>
    </>
  )
}

function lineWords(lines: readonly (readonly number[])[]): string {
  return `lines ${lines.slice(0, 3).map(rangeWords).join(', ')}${lines.length > 3 ? ' …' : ''}`
}

const mostNames = 4

/** `You, carla`, so that a folded card says enough. */
function Names({ works, login }: Pick<Card, 'works'> & { login: string | null }) {
  const names = [...new Set(works.map(({ activity }) => (isBy(activity, login) ? 'You' : activity.actor)))]
  return (
    <>
      {names.slice(0, mostNames).map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Text>{name}</Text>
        </span>
      ))}
      {names.length > mostNames && ` and ${names.length - mostNames} more`}
    </>
  )
}
