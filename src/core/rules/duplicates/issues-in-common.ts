import { isStranger } from '../author.ts'
import type { ComparedActivity } from '../candidates/rows.ts'
import { isIgnoredAuthor } from '../changed/compare-changes.ts'
import type { Comparison } from '../compare-all.ts'
import { ownershipOf } from '../relationship/pull-relationship.ts'
import { isGrave } from '../severity.ts'
import { isStalePull } from '../stale-rules.ts'
import { epicsAmong, type IssueOverlap, issueOverlap, sharedIssues } from './same-issue-rules.ts'

type Judgement = Pick<
  Comparison,
  'issues' | 'author' | 'isMinor' | 'identity' | 'now' | 'staleAfterMs' | 'counting' | 'isPublic'
>

/** What each of these works of others shares with the issues of the proposal, if it shares any (docs/rules.md#same-issue). */
export function issuesInCommon(
  works: readonly ComparedActivity[],
  { issues, author, isMinor, identity, now, staleAfterMs, counting, isPublic }: Judgement,
): ReadonlyMap<ComparedActivity, IssueOverlap> {
  const sharing = works.flatMap((work) => {
    const shared = sharedIssues(issues, work.issues)
    return shared === null ? [] : { work, shared, byStranger: isStranger(work, isPublic) }
  })
  const epics = epicsAmong(sharing)
  const isOfIgnoredAuthor = (login: string | null) => isIgnoredAuthor(login, counting)
  return new Map(
    sharing.map(({ work, shared, byStranger }) => {
      const isOwn = ownershipOf(identity, work) === 'own'
      const weight = {
        isOfIgnoredAuthor: isOfIgnoredAuthor(author) || isOfIgnoredAuthor(work.author_login),
        isMinor: isMinor || (byStranger && !isOwn) || isStalePull(work, now, staleAfterMs),
        isGrave: isGrave(work),
      }
      return [work, issueOverlap(shared, epics, weight)]
    }),
  )
}
