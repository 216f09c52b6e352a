import type { ComparedActivity } from '../rules/candidates/rows.ts'
import type { Collision, Findings, LoadedCollision, MatchingNotable } from '../rules/findings.ts'
import { staleLast, strangersLast } from '../rules/order/list-order.ts'
import { mostDescribed } from '../rules/response/id-limits.ts'
import { bySeverity } from '../rules/severity.ts'

export type DescribedOverlap = LoadedCollision | MatchingNotable

type Authored = { activity: Pick<ComparedActivity, 'actor' | 'author_login'> }
/** What decides which collisions are described. */
export type DescribedCollision = Collision & Authored & Pick<LoadedCollision, 'moreOfAuthor'>
/** `overlap` is null for a notable about the whole repository. */
export type DescribedNotable = Pick<MatchingNotable, 'severity'> & { overlap: object | null }

/** What was found, of which the first is described. */
export interface Describable<Told extends DescribedCollision, Notable extends DescribedNotable> {
  /** All, sorted. Those of strangers are of the kind that is described. */
  collisions: readonly (Collision | Told)[]
  /** The first of them. */
  loaded: readonly Told[]
  /** The worst first. */
  notables: readonly Notable[]
}

export function isNotable(overlap: DescribedOverlap): overlap is MatchingNotable {
  return 'notable' in overlap
}

export function isCollision<Told extends DescribedCollision>(overlap: Told | object): overlap is Told {
  return 'activity' in overlap
}

/**
 * The overlaps that the two texts describe: worst first, stale ones last, and after all of these the collisions with
 * strangers, one for each. A collision comes before a notable of the same severity. The first collision, the worst notable
 * and the newest notable about the whole repository are always among them.
 */
export function describedOverlaps<Told extends DescribedCollision, Notable extends DescribedNotable>({
  collisions,
  loaded,
  notables,
}: Describable<Told, Notable>): (Told | Notable)[] {
  const told = [...loaded.filter(({ byStranger }) => !byStranger), ...oneOfEachStranger(collisions)]
  const all: (Told | Notable)[] = [...told, ...notables].sort(
    (a, b) => strangersLast(a, b) || staleLast(a, b) || bySeverity(a, b),
  )
  const always = new Set<Told | Notable | undefined>([
    told[0],
    notables[0],
    notables.find(({ overlap }) => overlap === null),
  ])
  const byNeed = [...all.filter((one) => always.has(one)), ...all.filter((one) => !always.has(one))]
  const chosen = new Set(byNeed.slice(0, mostDescribed))
  return all.filter((one) => chosen.has(one))
}

/** How many overlaps no line is about. The line of a stranger is about all of theirs. */
export function undescribed(
  { collisions, notables }: Pick<Findings, 'collisions' | 'notables'>,
  described: readonly DescribedOverlap[],
): number {
  const told = described.map((one) => 1 + (isCollision(one) ? (one.moreOfAuthor ?? 0) : 0))
  return collisions.length + notables.length - told.reduce((sum, count) => sum + count, 0)
}

/** The first collision with each stranger, which stands for all of them. Work of strangers is always loaded. */
function oneOfEachStranger<Told extends DescribedCollision>(collisions: readonly (Collision | Told)[]): Told[] {
  const found = collisions.filter(({ byStranger }) => byStranger).filter((one): one is Told => isCollision(one))
  return firstOfEachAuthor(found).map(({ first, more }) => ({ ...first, moreOfAuthor: more }))
}

/** The first work of each author, and how many more there are. */
export function firstOfEachAuthor<Work extends Authored>(works: readonly Work[]): { first: Work; more: number }[] {
  const byAuthor = new Map<string, { first: Work; more: number }>()
  for (const first of works) {
    const author = first.activity.author_login ?? first.activity.actor
    const known = byAuthor.get(author)
    if (known) known.more++
    else byAuthor.set(author, { first, more: 0 })
  }
  return [...byAuthor.values()]
}
