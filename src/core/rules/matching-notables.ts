import { isAboutRepository } from '../scope/is-about-repository.ts'
import type { ComparedNotable } from './candidates/rows.ts'
import type { WorkOverlap } from './compare-all.ts'
import type { Findings, MatchingNotable } from './findings.ts'
import { isGraveNotable, notableSeverity } from './severity.ts'

/** Whether a notable is about some places. Any other is about the whole repository. */
export function isAboutPlaces({ areas, paths }: ComparedNotable): boolean {
  return !isAboutRepository(areas, paths)
}

/** The notables that concern a proposal: those that match it, and others about the whole repository (docs/rules.md#overlap). */
export type MatchedNotables = Pick<Findings, 'notables' | 'repositoryNotables'>

/** Decides by what each notable and the proposal share. A grave one about the whole repository matches every proposal. */
export function matchNotables(
  notables: readonly ComparedNotable[],
  overlaps: ReadonlyMap<unknown, Pick<WorkOverlap, 'scope'>>,
): MatchedNotables {
  const aboutRepository = notables.filter((notable) => !isAboutPlaces(notable))
  return {
    notables: [
      ...aboutRepository.filter(isGraveNotable).map((notable) => matchingNotable(notable, null)),
      ...notables.flatMap((notable) => {
        const overlap = isAboutPlaces(notable) ? overlaps.get(notable)?.scope : null
        return overlap ? matchingNotable(notable, overlap) : []
      }),
    ],
    repositoryNotables: aboutRepository.filter((notable) => !isGraveNotable(notable)),
  }
}

function matchingNotable(notable: ComparedNotable, overlap: MatchingNotable['overlap']): MatchingNotable {
  return { notable, overlap, severity: notableSeverity(notable) }
}
