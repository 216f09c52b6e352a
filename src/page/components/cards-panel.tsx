import { useState } from 'preact/hooks'
import { pairKey } from '../../live/pair-order.ts'
import { actsOn } from '../../sentence/acts.ts'
import { adviceOn, linesText, pullNumber, whoText } from '../../sentence/collision-words.ts'
import { useHeld } from '../hooks/use-view.ts'
import type { Card, CardPerson } from '../model/board.ts'
import { CopyButton, HeldButton, Panel } from './parts/controls.tsx'
import { Age, Code, Icon, OutLink, Parts, SeverityMark, Text } from './parts/marks.tsx'

interface CardsPanelProps {
  cards: readonly Card[]
  /** How many there are without the filters. */
  total: number
  /** How far the work is compared; undefined where all of it is. */
  comparing: string | undefined
  query: string
  githubRepository: string | undefined
  onShow(activityId: string): void
}

/** How many cards of others are shown at first. */
const mostOfOthers = 5

/** What collides, as a card for each file or area; mine first. */
export function CardsPanel({ cards, total, comparing, query, githubRepository, onShow }: CardsPanelProps) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const held = useHeld(cards, ({ key }) => key, query)
  const others = held.items.filter(({ item }) => !item.isMine)
  const folded = new Set(isUnfolded ? [] : others.slice(mostOfOthers).map(({ key }) => key))
  const pairs = cards.reduce((sum, card) => sum + card.pairs.length, 0)
  const places = cards.length === total ? `${total}` : `${cards.length} of ${total}`
  return (
    <Panel
      id="collides"
      title="Collides"
      count={`${places}${pairs > cards.length ? `, ${pairs} pairs` : ''}`}
      actions={<HeldButton held={held} />}
    >
      {(comparing || held.items.length === 0) && (
        <p class="empty">
          {comparing ??
            (held.waiting.length > 0
              ? 'What is new waits above.'
              : total > 0
                ? 'No collision passes the filters.'
                : 'Nothing collides. What does will appear here.')}
        </p>
      )}
      <ul class="cards">
        {held.items.map(({ key, item, isGone }) => (
          <CardItem
            key={key}
            card={item}
            isGone={isGone}
            isFolded={folded.has(key)}
            githubRepository={githubRepository}
            onShow={onShow}
          />
        ))}
      </ul>
      {others.length > mostOfOthers && (
        <p class="empty unfold">
          <button
            type="button"
            class="text-button"
            aria-expanded={isUnfolded}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {isUnfolded ? 'Show fewer' : `Show ${folded.size} more of others`}
          </button>
        </p>
      )}
    </Panel>
  )
}

interface CardItemProps {
  card: Card
  /** Whether it no longer collides, and is shown only so that nothing moves. */
  isGone: boolean
  /** Whether it is seen in print alone. */
  isFolded: boolean
  githubRepository: string | undefined
  onShow(activityId: string): void
}

function CardItem({ card, isGone, isFolded, githubRepository, onShow }: CardItemProps) {
  const { place, severity, since, people, pairs, isMine } = card
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isMine
  const [worst] = pairs
  return (
    <li
      class={`card card-${severity}${isMine ? ' card-mine' : ''}${isGone ? ' is-gone' : ''}${isFolded ? ' is-folded' : ''}`}
    >
      <button type="button" class="card-toggle" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <Icon name="chevron" />
        <SeverityMark severity={severity} />
        <span class="card-place">
          <Parts parts={place} />
          {isMine && <span class="badge">yours</span>}
        </span>
        <span class="card-since muted">{isGone ? 'No longer collides' : <Age at={since} />}</span>
      </button>
      {isOpen ? (
        <>
          <ul class="people">
            {people.map((person) => (
              <Person key={person.id} person={person} card={card} githubRepository={githubRepository} onShow={onShow} />
            ))}
          </ul>
          <details class="advice">
            <summary>{worst && adviceOn(worst)}</summary>
            {pairs.slice(0, 5).map((pair) => (
              <p key={pairKey(pair)} class="muted">
                <Text>{pair.reason}</Text>
              </p>
            ))}
          </details>
        </>
      ) : (
        <p class="card-names">
          {people.map(({ id, activity }) => (
            <span key={id}>
              <strong>
                <Text>{activity ? whoText(activity) : 'Other work'}</Text>
              </strong>{' '}
              {activity && <Text>{activity.title}</Text>}
            </span>
          ))}
        </p>
      )}
    </li>
  )
}

interface PersonProps extends Omit<CardItemProps, 'isGone' | 'isFolded'> {
  person: CardPerson
}

/** One of the people of a card: who, on which work, on which lines. */
function Person({ person: { id, activity, isMine, lines }, card, githubRepository, onShow }: PersonProps) {
  if (!activity) {
    return (
      <li class="person">
        <strong>Other work</strong> <Code>{id}</Code>
      </li>
    )
  }
  const number = pullNumber(activity)
  const [worst] = card.pairs
  const own = worst && { pair: worst, mine: undefined, theirs: activity, areBothMine: false }
  const open = own && actsOn(own, githubRepository).find((act) => act.kind === 'open')
  return (
    <li class="person">
      <strong>{isMine ? 'You' : <Text>{activity.actor}</Text>}</strong>
      {activity.agent && activity.agent !== activity.actor && (
        <span class="muted">
          with <Text>{activity.agent}</Text>
        </span>
      )}
      {open?.kind === 'open' && <OutLink href={open.href}>{number === undefined ? 'Changes' : `#${number}`}</OutLink>}
      <button type="button" class="link-button" onClick={() => onShow(activity.id)}>
        <Text>{activity.title}</Text>
      </button>
      {lines && <span class="lines">{linesText(lines)}</span>}
      {number === undefined && activity.branch !== null && <Code>{activity.branch}</Code>}
    </li>
  )
}

/** Shown where nothing is in flight: how work appears here. */
export function TeachCard() {
  const steps = [
    {
      what: 'Install the command line',
      text: `mkdir -p ~/.local/bin && curl -fsSL ${location.origin}/-/headsup.mjs -o ~/.local/bin/headsup && chmod +x ~/.local/bin/headsup`,
    },
    { what: 'Ask before you start what others change', text: 'headsup check' },
    { what: 'Let git and coding agents ask by themselves', text: 'headsup hook install' },
  ]
  return (
    <section class="panel teach" id="collides" aria-labelledby="teach-title">
      <h2 id="teach-title">Nothing is in flight yet. This is how work appears here:</h2>
      <ol>
        <li>
          <p>Open a pull request: it appears by itself.</p>
        </li>
        {steps.map(({ what, text }) => (
          <li key={text}>
            <p>{what}</p>
            <p class="command">
              <code>{text}</code>
              <CopyButton text={text} label={`Copy: ${what}`} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
