import { type Obstacle, obstacles } from '../enums.ts'
import type { Findings } from '../rules/findings.ts'
import { hasToNameFiles } from './nearby-line.ts'
import { isEverythingRead, isWhollyListed } from './observed-lines.ts'

type Judged = Pick<
  Findings,
  'collisions' | 'notables' | 'hasScope' | 'isWhole' | 'observed' | 'partlyListed' | 'nearby' | 'otherProposals'
>

/** What stands in the way. Where nothing does, the answer is clear, and only then a text says "Go ahead" (docs/rules.md#clear). */
export function obstaclesOf(found: Judged): Obstacle[] {
  const { otherProposals } = found
  const isMet: Readonly<Record<Obstacle, boolean>> = {
    collision: found.collisions.length > 0,
    notable: found.notables.length > 0,
    nothing_named: !found.hasScope,
    cut_off: !found.isWhole || !isWhollyListed(found.partlyListed),
    unread: !isEverythingRead(found.observed),
    wide_paths: hasToNameFiles(found),
    proposals: otherProposals !== undefined && (otherProposals.colliding.length > 0 || !otherProposals.isWhole),
  }
  return obstacles.filter((obstacle) => isMet[obstacle])
}
