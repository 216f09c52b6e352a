import type { Obstacle } from '../enums.ts'
import type { Findings } from '../rules/findings.ts'
import { hasToNameFiles } from './lines/nearby-lines.ts'
import { isEverythingRead, isWhollyListed } from './lines/observed-lines.ts'

type Judged = Pick<Findings, 'hasScope' | 'isWhole' | 'observed' | 'partlyListed' | 'nearby' | 'otherProposals'>

/** What stands in the way besides collisions and notables (docs/rules.md#clear). */
export function otherObstacles(found: Judged): Obstacle[] {
  const { otherProposals } = found
  const isMet = {
    nothing_named: !found.hasScope,
    cut_off: !found.isWhole || !isWhollyListed(found.partlyListed),
    unread: !isEverythingRead(found.observed),
    wide_paths: hasToNameFiles(found),
    proposals: otherProposals !== undefined && (otherProposals.colliding.length > 0 || !otherProposals.isWhole),
  }
  const all = ['nothing_named', 'cut_off', 'unread', 'wide_paths', 'proposals'] as const
  return all.filter((obstacle) => isMet[obstacle])
}
