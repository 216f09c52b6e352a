import type { Activity } from '../../activity/schema.ts'
import type { Severity } from '../../enums.ts'
import { getOrCreate } from '../../lib/maps.ts'
import { comparePairs } from '../../live/pair-order.ts'
import type { CollidingPair } from '../../live/schema.ts'
import { name, path, type SentencePart, words } from '../../sentence/collision-words.ts'
import type { LiveState } from './live-state.ts'

type Ranges = readonly (readonly [number, number])[]

/** Somebody in a card, with the lines that are known of this work. */
export interface CardPerson {
  id: string
  /** Undefined where the record was not sent. */
  activity: Activity | undefined
  isMine: boolean
  lines: Ranges | null
}

/** All that collides at one place: a file, else an area. */
export interface Card {
  key: string
  place: SentencePart[]
  severity: Severity
  /** Since when, at worst. */
  since: string
  people: CardPerson[]
  /** Worst first. */
  pairs: CollidingPair[]
  isMine: boolean
}

function keyOf({ example_path, areas }: CollidingPair): string {
  return example_path === null ? `area ${[...areas].sort().join(', ').toLowerCase()}` : `path ${example_path}`
}

/** The pairs as one card for each place: mine first, each worst first, then newest. */
export function cardsOf(
  { collisions, activities }: Pick<LiveState, 'collisions' | 'activities'>,
  mine: ReadonlySet<string>,
): Card[] {
  const groups = new Map<string, CollidingPair[]>()
  for (const pair of [...collisions.values()].sort(comparePairs)) getOrCreate(groups, keyOf(pair), () => []).push(pair)
  const cards = [...groups].flatMap(([key, pairs]) => toCard(key, pairs, activities, mine) ?? [])
  return [...cards.filter(({ isMine }) => isMine), ...cards.filter(({ isMine }) => !isMine)]
}

function toCard(
  key: string,
  pairs: CollidingPair[],
  activities: LiveState['activities'],
  mine: ReadonlySet<string>,
): Card | undefined {
  const [worst] = pairs
  if (!worst) return undefined
  const people = new Map<string, CardPerson>()
  for (const pair of pairs) {
    for (const [index, id] of pair.activity_ids.entries()) {
      // The lines of a pair are those of the newer one.
      const lines = index === 0 ? pair.lines : null
      const known = people.get(id)
      if (known) known.lines ??= lines
      else people.set(id, { id, activity: activities.get(id), isMine: mine.has(id), lines })
    }
  }
  const listed = [...people.values()].sort((a, b) => Number(b.isMine) - Number(a.isMine))
  const { example_path, areas, severity, since } = worst
  const place =
    example_path === null
      ? [words(areas.length > 0 ? 'area ' : 'the same files'), name(areas.join(', '))]
      : [path(example_path)]
  return { key, place, severity, since, people: listed, pairs, isMine: listed.some(({ isMine }) => isMine) }
}
