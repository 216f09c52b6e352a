import type { CollisionBasis } from '../schemas/collision-item.ts'
import { hidesWords } from './author.ts'
import { type Findings, isEarlier, type LoadedCollision } from './findings.ts'

type Based = Pick<LoadedCollision, 'activity' | 'isStale' | 'sameChange'>

/** What the order and the advice go by, besides the fields of every collision. */
export function collisionBasis(
  { activity, isStale = false, sameChange }: Based,
  { own, defaultBranch }: Pick<Findings, 'own' | 'defaultBranch'>,
): CollisionBasis {
  const { source, title, branch, pull, pr_number } = activity
  const earlier = own === undefined || isEarlier(activity, own)
  // Work that began earlier does not build on the branch of later work, and nobody on a branch of a fork.
  const canBuildOn = earlier && branch !== defaultBranch && !hidesWords(activity) && !pull?.is_fork
  return {
    stale: isStale,
    pr_number,
    title: source === 'recorded' ? title : null,
    build_on: canBuildOn ? branch : null,
    earlier,
    same_change: sameChange && { kind: sameChange.kind, severity: sameChange.severity },
  }
}
