import { sameChangeKinds } from '../../../core/enums.ts'
import type { CollisionBasis } from '../../../core/schemas/collision-item.ts'
import { type AdvisedCollision, type AdvisedNotable, advice, advise } from '../../../core/texts/advice.ts'
import type { Message } from '../../../core/texts/message.ts'
import { type Json, numberField, numberList, record, recordList, textField, textList } from '../../client/json.ts'
import { adviceOf, isOnlyAbout, relatedIds } from '../../client/messages.ts'
import type { TargetResult } from '../merge-result.ts'
import { type JudgedMerge, readSeverity } from './read-candidates.ts'
import type { WorkAfter } from './read-facts.ts'

interface Outcome {
  works: readonly WorkAfter[]
  notables: readonly AdvisedNotable[]
  target: TargetResult
  clear: boolean
  judged: readonly JudgedMerge[]
}

/**
 * The advice after merges were tried, as the service gives it. A collision that the answer only counts is never the first that is
 * named: nothing else is known of it.
 */
export function adviceAfter(overlap: Json, { works, notables, target, clear, judged }: Outcome): Message[] {
  const { ended, reuse, last, next } = partsOf(overlap)
  const isMerged = target.merge !== 'conflicts'
  const first = isMerged ? ended : [...ended, advice('Merge the target branch into your work first.')]
  const clean = judged.filter(({ result }) => result.merge === 'clean')
  if (clear && clean.length > 0) {
    return [...first, ...reuse, advice(`No conflict: tried with ${worksOf(clean)}. Go ahead.`), ...last]
  }
  const known = new Map(
    [...judged.map(({ received }) => received.item), ...recordList(overlap, 'collisions')].map(byId),
  )
  const advised = works.map((work) => {
    const item = known.get(work.id)
    return item ? advisedCollision(item, work) : work
  })
  const found = {
    collisions: advised,
    loaded: advised.filter((one) => 'basis' in one),
    notables,
    notableIds: textList(overlap, 'related_notable_ids'),
  }
  const isGoAhead = overlap.clear === true
  return advise(found, {
    ...{ first, second: reuse, last, always: overlap.all_compared === false ? next : null },
    unlessColliding: () => (isGoAhead && !clear ? null : next),
  })
}

function byId(item: Json): [string, Json] {
  return [textField(item, 'activity_id') ?? '', item]
}

/** The lines of the service's advice: by the records that each is about. The one about none says what to do next. */
function partsOf(overlap: Json) {
  const lines = adviceOf(overlap).map(({ text, ids }) => advice(text, ids))
  const merged = recordList(overlap, 'reuse_opportunities').map((item) => textField(item, 'activity_id') ?? '')
  const expected = [...textList(overlap, 'expected_activity_ids'), ...textList(overlap, 'repository_notable_ids')]
  const [reuse, last] = [merged, expected].map((ids) => lines.filter((line) => isOnlyAbout(line, ids)))
  const others = [relatedIds(overlap), merged, expected]
  return {
    reuse: reuse ?? [],
    last: last ?? [],
    ended: lines.filter((line) => line.ids.length > 0 && !others.some((ids) => isOnlyAbout(line, ids))),
    next: lines.find(({ ids }) => ids.length === 0)?.text ?? null,
  }
}

/** A collision by the fields of its item. */
function advisedCollision(item: Json, work: WorkAfter): AdvisedCollision {
  return {
    ...work,
    activity: { actor: textField(item, 'actor') ?? '', author_login: null },
    source: textField(item, 'source') ?? '',
    branch: textField(item, 'branch') ?? null,
    issues: numberList(item, 'issues'),
    isOwn: item.own === true,
    basis: readBasis(record(item, 'basis')),
  }
}

function readBasis(basis: Json): CollisionBasis {
  const same = record(basis, 'same_change')
  const [kind, severity] = [sameChangeKinds.find((one) => one === same.kind), readSeverity(same.severity)]
  return {
    stale: basis.stale === true,
    pr_number: numberField(basis, 'pr_number') ?? null,
    title: textField(basis, 'title') ?? null,
    build_on: textField(basis, 'build_on') ?? null,
    earlier: basis.earlier !== false,
    same_change: kind && severity ? { kind, severity } : null,
  }
}

function worksOf(tried: readonly JudgedMerge[]): string {
  const count = tried.length
  const isPull = tried.every(({ received }) => received.candidate.number !== null)
  const [one, many] = isPull
    ? ['pull request', 'pull requests']
    : ['piece of work of others', 'pieces of work of others']
  return `${count} ${count === 1 ? one : many}`
}
