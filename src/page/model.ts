import { levels, type Severity } from '../core/enums.ts'
import { worstOf } from '../core/overlap/severity.ts'
import type { Activity } from '../core/schemas/activity.ts'
import type { Notable } from '../core/schemas/notable.ts'
import type { CollisionsAnswer } from '../core/schemas/overlap.ts'
import { isBy } from '../core/texts/sentence.ts'
import type { Lists } from './api.ts'

export type Pair = CollisionsAnswer['items'][number]

/** What is looked for. It stands in the address. */
export interface Filter {
  q: string
  mine: boolean
}

/** One file, issue or area on which several work. */
export interface Card {
  key: string
  place: { kind: 'path' | 'issue' | 'area'; text: string }
  severity: Severity
  isMine: boolean
  works: { activity: Activity; lines: number[][] }[]
}

/** A card for each place of the pairs: mine first, else as the service sorts the pairs: members' first, then the worst. */
export function cardsOf({ activities, collisions }: Lists, login: string | null): Card[] {
  const known = new Map(activities.map((one) => [one.id, one]))
  const cards = new Map<string, Card>()
  for (const pair of collisions.items) {
    const place = placeOf(pair)
    const key = `${place.kind} ${place.text}`
    const card = cards.get(key) ?? { key, place, severity: pair.severity, isMine: false, works: [] }
    cards.set(key, card)
    card.severity = worstOf([card.severity, pair.severity]) ?? pair.severity
    pair.activity_ids.forEach((id, index) => {
      const activity = known.get(id)
      if (activity) addWork(card, activity, (index === 0 ? pair.lines : pair.their_lines) ?? [], login)
    })
  }
  return [...cards.values()].sort((one, other) => Number(other.isMine) - Number(one.isMine))
}

function addWork(card: Card, activity: Activity, lines: number[][], login: string | null): void {
  const isMine = isBy(activity, login)
  card.isMine ||= isMine
  const there = card.works.find((one) => one.activity.id === activity.id)
  if (!there) card.works[isMine ? 'unshift' : 'push']({ activity, lines: [...lines] })
  else if (!there.lines.length) there.lines.push(...lines)
}

/** What the worst of a pair is. Works that meet for an issue or an area may be near each other in a file too. */
function placeOf({ by, example_path: path, issues, areas }: Pair): Card['place'] {
  if (by === 'issue') return { kind: 'issue', text: `#${issues[0]}` }
  if (by === 'area') return { kind: 'area', text: areas[0] ?? '' }
  return { kind: 'path', text: path ?? '' }
}

/** The pairs of each activity, as the service sorts them. */
export function pairsOf({ collisions }: Lists): ReadonlyMap<string, readonly Pair[]> {
  const pairs = new Map<string, Pair[]>()
  for (const pair of collisions.items)
    for (const id of pair.activity_ids) pairs.set(id, [...(pairs.get(id) ?? []), pair])
  return pairs
}

/** What stops most first, else the newest first. */
export function sortedNotables(notables: readonly Notable[]): Notable[] {
  const rank = ({ blocking, importance }: Notable) => (blocking ? 10 : 0) + levels.indexOf(importance)
  return notables.toSorted((one, other) => rank(other) - rank(one))
}

/** Whether a text holds all words that are looked for, in any case. */
export function finder(q: string): (texts: readonly (string | null)[]) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return (texts) => {
    const all = texts.join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  }
}

export function textsOf(one: Activity): (string | null)[] {
  const { title, summary, actor, agent, author_login, branch, base_branch, status, pr_url, scope, issues } = one
  const words = [title, summary, actor, agent, author_login, branch, base_branch, status, pr_url]
  return [...words, ...scope.paths, ...scope.areas, ...issues.map((issue) => `#${issue}`)]
}

export function shownCards(cards: readonly Card[], filter: Filter): Card[] {
  const finds = finder(filter.q)
  return cards.filter((card) => {
    if (filter.mine && !card.isMine) return false
    return finds([card.place.text, ...card.works.flatMap(({ activity }) => textsOf(activity))])
  })
}

/** Mine first, else as the list is: the newest first. */
export function shownWork(activities: readonly Activity[], filter: Filter, login: string | null): Activity[] {
  const finds = finder(filter.q)
  const mine = activities.filter((one) => isBy(one, login))
  const others = filter.mine ? [] : activities.filter((one) => !isBy(one, login))
  return [...mine, ...others].filter((one) => finds(textsOf(one)))
}

export function readFilter(search: string): Filter {
  const params = new URLSearchParams(search)
  return { q: params.get('q') ?? '', mine: params.get('mine') === '1' }
}

export function writeFilter({ q, mine }: Filter): string {
  const params = new URLSearchParams({ ...(q && { q }), ...(mine && { mine: '1' }) })
  return params.size === 0 ? location.pathname : `?${params}`
}
