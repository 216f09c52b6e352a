import type { ScopeOverlap } from '../scope/compare.ts'
import { isStranger } from './author.ts'
import type { ComparedActivity } from './candidates/rows.ts'
import type { ChangesOverlap } from './changed/compare-changes.ts'
import type { Comparison } from './compare-all.ts'
import { hasContent, judgeSameChange } from './duplicates/same-change-rules.ts'
import type { IssueOverlap } from './duplicates/same-issue-rules.ts'
import { type FoundSameChange, isEarlier, type LoadedCollision } from './findings.ts'
import { ownershipOf } from './relationship/pull-relationship.ts'
import { closest, collisionSeverity, isGrave, weighted, worst } from './severity.ts'
import { isStalePull } from './stale-rules.ts'

type Judgement = Pick<
  Comparison,
  'identity' | 'now' | 'staleAfterMs' | 'counting' | 'isPublic' | 'author' | 'own' | 'byStranger'
>

/** What an activity and the proposal share: of their scopes, their changes and their issues. */
export interface Shared {
  scope: ScopeOverlap | null
  changes: ChangesOverlap | null
  issues: IssueOverlap | null
}

/** The collision of an activity that shares this with the proposal. Null if it is nearby at most. */
export function loadedCollision(
  activity: ComparedActivity,
  { scope: overlap, changes, issues }: Shared,
  judgement: Judgement,
): LoadedCollision | null {
  const { identity, now, staleAfterMs, counting, isPublic } = judgement
  const grave = isGrave(activity)
  const byScope = overlap && collisionSeverity(closest(overlap), grave)
  const plain = changes?.severity ?? null
  const byChanges = weighted(plain, grave)
  const same = changes && foundSameChange(activity, changes, judgement)
  const byPlaces = worst([byScope, byChanges, same?.severity])
  const severity = worst([byPlaces, issues?.severity])
  if (severity === null) return null
  const ownership = ownershipOf(identity, activity)
  const isSameTold = same?.severity === severity
  return {
    id: activity.id,
    severity,
    activity,
    overlap,
    changes: byChanges !== null && byChanges === byPlaces && !isSameTold ? changes : null,
    sameChange: same && { ...same, isTold: isSameTold },
    issues: issues?.severity ? issues.numbers : [],
    isStale: isStalePull(activity, now, staleAfterMs),
    byStranger: ownership !== 'own' && isStranger(activity, isPublic),
    ownership,
    isWide: (activity.changed?.work.filesTotal ?? 0) > counting.maxFiles,
  }
}

function foundSameChange(
  activity: ComparedActivity,
  { files, sameChange }: ChangesOverlap,
  { identity, isPublic, author, own, byStranger = false }: Judgement,
): Omit<FoundSameChange, 'isTold'> | null {
  if (sameChange === null) return null
  const file = files.find(({ proximity, theirChange }) => proximity === 'same content' && hasContent(theirChange))
  if (!file) return null
  const isOwn = ownershipOf(identity, activity) === 'own'
  const { kind, severity } = judgeSameChange(sameChange, {
    isFirst: own !== undefined && !isEarlier(activity, own),
    isOwn: isOwn || (author !== null && activity.author_login?.toLowerCase() === author.toLowerCase()),
    isFromOutside: !byStranger && isStranger(activity, isPublic),
  })
  return { ...sameChange, kind, severity: weighted(severity, isGrave(activity)), isOwn, file }
}
