import { pageOfActivities } from '../activity/activities.sql.ts'
import { presentActivity } from '../activity/present.ts'
import type { Context } from '../context.ts'
import { pageOfNotables } from '../notable/notables.sql.ts'
import { presentNotable } from '../notable/present.ts'
import { type LiveSource, mostWatched } from './watched-repository.ts'

/** Reads a repository for its streams, as this viewer sees it. The context of the first stream serves all of its kind. */
export function liveSource(context: Context): LiveSource {
  const { db, repository } = context
  const page = { repositoryId: repository.id, filters: {}, after: undefined, count: mostWatched + 1 }
  return {
    async load(now) {
      const [activities, notables] = await Promise.all([
        pageOfActivities(db, { ...page, now, endedAfter: now }),
        pageOfNotables(db, { ...page, now, endedAfter: now }),
      ])
      return {
        activities: activities.slice(0, mostWatched).map((row) => presentActivity(row, now)),
        notables: notables.slice(0, mostWatched).map((row) => presentNotable(row, now)),
        truncated: activities.length > mostWatched,
      }
    },
    async find(ids, now) {
      const where = (wanted: readonly string[]) => ({
        where: { repository_id: repository.id, id: { in: [...wanted] } },
      })
      const [activities, notables] = await Promise.all([
        ids.activities.length > 0 ? db.prisma.activity.findMany(where(ids.activities)) : [],
        ids.notables.length > 0 ? db.prisma.notable.findMany(where(ids.notables)) : [],
      ])
      return {
        activities: activities.map((row) => presentActivity(row, now)),
        notables: notables.map((row) => presentNotable(row, now)),
      }
    },
    pairsOf: async () => [],
  }
}
