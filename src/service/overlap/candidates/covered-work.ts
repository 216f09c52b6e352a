import { unionOfFiles } from '../../../core/changes/union.ts'
import type { CachedActivity, LoadedActivity } from '../../../core/rules/candidates/rows.ts'
import { type ComparableWork, comparableWork } from '../../../core/rules/changed/changed-work.ts'
import { numbersOf, withStated } from '../../../core/rules/duplicates/same-issue-rules.ts'
import type { FoundObserved } from './load-observed.sql.ts'

/** The activity with the changes that this caller sees. */
export function withVisibleChanges(activity: CachedActivity, seesObserved: boolean): LoadedActivity {
  return seesObserved ? activity : { ...activity, changed: activity.client }
}

/**
 * Replaces covered work by the recorded activity that covers it, with the changes of both (docs/rules.md#covered-work). Covering
 * work that is not among the loaded activities is the caller's own, stacked, or has ended meanwhile: then nothing takes its place.
 */
export function withoutCovered(
  activities: readonly LoadedActivity[],
  observed: readonly FoundObserved[],
): LoadedActivity[] {
  const byId = new Map(activities.map((activity) => [activity.id, activity]))
  for (const { id, cover } of observed) {
    const covered = byId.get(id)
    if (covered === undefined || cover === null) continue
    byId.delete(id)
    const covering = byId.get(cover.id)
    if (covering) byId.set(cover.id, coveringWork(covering, covered))
  }
  return [...byId.values()]
}

function coveringWork(covering: LoadedActivity, covered: LoadedActivity): LoadedActivity {
  const { pull } = covered
  const changed = unionOfWork(covered.changed, covering.changed)
  // The author that counts is that of the activity, also where it covers a pull request of an ignored one or of a stranger.
  const ofAuthor = changed && {
    ...changed,
    work: { ...changed.work, author: covering.author_login, hidesWords: false },
  }
  const issues = withStated(covering.issues, numbersOf(covered.issues))
  return { ...covering, issues, pull, changed: ofAuthor, covers: covered }
}

/** The changes of both. The head and the commits are those that GitHub shows, where it shows any. */
export function unionOfWork(github: ComparableWork | null, client: ComparableWork | null): ComparableWork | null {
  if (github === null || client === null) return github ?? client
  const files = unionOfFiles(github.work.files, client.work.files)
  const filesTotal = Math.max(files.length, github.work.filesTotal, client.work.filesTotal)
  return comparableWork({ ...github.work, files, filesTotal })
}
