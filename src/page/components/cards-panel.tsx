import { useContext, useState } from 'preact/hooks'
import { pairKey } from '../../core/rules/order/pair-order.ts'
import { lineList } from '../../core/texts/line-list.ts'
import { diffLink } from '../../core/texts/sentence/acts.ts'
import { adviceOn, pullNumber } from '../../core/texts/sentence/sentence-parts.ts'
import { Scene } from '../hooks/use-view.ts'
import type { Card, CardPerson, HeldItem } from '../model/board.ts'
import { CopyButton, ListPanel } from './parts/controls.tsx'
import { Age, Agent, Code, Lines, OutLink, Parts, SeverityMark, Sign, Text } from './parts/marks.tsx'

interface CardsPanelProps {
  cards: readonly Card[]
  /** How many there are without the filters. */
  total: number
  /** How far the work is compared; undefined where all of it is. */
  comparing: string | undefined
}

/** The style sheet shows this many cards of others at first, and all in print. */
const mostOfOthers = 5

/** What collides, as a card for each file or area; mine first. */
export function CardsPanel({ cards, total, comparing }: CardsPanelProps) {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const pairs = cards.reduce((sum, card) => sum + card.pairs.length, 0)
  return (
    <ListPanel
      id="collides"
      title="Collides"
      items={cards}
      keyOf={({ key }) => key}
      total={total}
      more={pairs > cards.length ? `, ${pairs} pairs` : ''}
      note={comparing}
      none="Nothing collides. What does will appear here."
      nonePasses="No collision passes the filters."
      class={isUnfolded ? undefined : 'is-folded'}
      row={(one) => <CardItem key={one.key} held={one} />}
      after={(held) => {
        const folded = held.filter(({ item }) => !item.isMine).length - mostOfOthers
        return (
          folded > 0 && (
            <p class="line unfold">
              <button
                type="button"
                class="text-button"
                aria-expanded={isUnfolded}
                onClick={() => setIsUnfolded(!isUnfolded)}
              >
                {isUnfolded ? 'Show fewer' : `Show ${folded} more of others`}
              </button>
            </p>
          )
        )
      }}
    />
  )
}

function CardItem({ held: { item, isGone } }: { held: HeldItem<Card> }) {
  const { place, severity, since, people, pairs, isMine } = item
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isMine
  const [worst] = pairs
  return (
    <li class={`line card${isMine ? ' is-mine' : ''}${isGone ? ' is-gone' : ''}`}>
      <button type="button" class="flow card-toggle" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <Sign>{isOpen ? '▾' : '▸'}</Sign>
        <SeverityMark severity={severity} />
        <strong class="grow">
          <Parts parts={place} />
          {isMine && <span class="badge">yours</span>}
        </strong>
        <small class="muted">{isGone ? 'No longer collides' : <Age at={since} />}</small>
      </button>
      <ul class={isOpen ? 'inset' : 'inset flow'}>
        {people.map((person) => (
          <Person key={person.id} person={person} isOpen={isOpen} />
        ))}
      </ul>
      {isOpen && (
        <details class="inset advice">
          <summary>{worst && adviceOn(worst)}</summary>
          {pairs.slice(0, 5).map((pair) => (
            <p key={pairKey(pair)} class="inset muted">
              <Text>{pair.reason}</Text>
            </p>
          ))}
        </details>
      )}
    </li>
  )
}

/** One of the people of a card: who, on which work, and where the card is open, on which lines. */
function Person({ person: { id, activity, isMine, lines }, isOpen }: { person: CardPerson; isOpen: boolean }) {
  const { githubRepository, changeFilters } = useContext(Scene)
  // The record may not have been sent.
  const number = activity && pullNumber(activity)
  const href = activity && isOpen ? diffLink(activity, githubRepository) : undefined
  return (
    <li class="flow person">
      <strong>{isMine ? 'You' : <Text>{activity?.actor ?? 'Other work'}</Text>}</strong>
      {activity && <Agent work={activity} class="muted" />}
      {href && <OutLink href={href}>{number === undefined ? 'Changes' : `#${number}`}</OutLink>}
      <button type="button" class={isOpen ? '' : 'muted'} onClick={() => changeFilters({ activity: id }, true)}>
        <Text>{activity?.title ?? id}</Text>
      </button>
      {isOpen && lines && <Lines>{lineList(lines)}</Lines>}
      {isOpen && number === undefined && activity?.branch && <Code>{activity.branch}</Code>}
    </li>
  )
}

const steps = [
  [
    'Install the command line',
    `mkdir -p ~/.local/bin && curl -fsSL ${location.origin}/-/headsup.mjs -o ~/.local/bin/headsup && chmod +x ~/.local/bin/headsup`,
  ],
  ['Ask before you start what others change', 'headsup check'],
  ['Let git and coding agents ask by themselves', 'headsup hook install'],
] as const

/** Shown where nothing is in flight: how work appears here. */
export function TeachCard() {
  return (
    <section class="panel box stack" id="collides" aria-labelledby="teach-title">
      <h2 id="teach-title">Nothing is in flight yet. This is how work appears here:</h2>
      <ol class="stack">
        <li>Open a pull request: it appears by itself.</li>
        {steps.map(([what, text]) => (
          <li key={text}>
            {what}
            <p class="flow">
              <code class="grow">{text}</code>
              <CopyButton text={text} label="Copy" />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
