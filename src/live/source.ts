import { pageOfActivities } from '../activity/activities.sql.ts'
import { loadDetails } from '../activity/load-details.ts'
import { presentActivity } from '../activity/present.ts'
import type { Context } from '../context.ts'
import { pageOfNotables } from '../notable/notables.sql.ts'
import { presentNotable } from '../notable/present.ts'
import { findCoveredWork, findRelatedWork } from './covered.sql.ts'
import { type LiveSource, mostWatched } from './watched-repository.ts'

/**
 * Reads a repository for its streams. `mayRead` says whether their viewers see observed work and what GitHub says about
 * changes. The context of the first stream serves all viewers of its kind.
 */
export function liveSource({ db, repository }: Pick<Context, 'db' | 'repository'>, mayRead: boolean): LiveSource {
  const page = { repositoryId: repository.id, after: undefined, count: mostWatched + 1 }

  async function present(rows: Parameters<typeof loadDetails>[1], now: Date) {
    const detailsOf = await loadDetails({ db, now }, rows, { files: false, mayRead })
    return rows.map((row) => presentActivity(row, now, detailsOf(row.id)))
  }

  return {
    async load(now) {
      const [activities, notables, covered] = await Promise.all([
        pageOfActivities(db, { ...page, filters: { observed: mayRead }, now, endedAfter: now }),
        pageOfNotables(db, { ...page, filters: {}, now, endedAfter: now }),
        mayRead ? findCoveredWork(db, repository.id, now) : [],
      ])
      return {
        activities: await present(activities.slice(0, mostWatched), now),
        notables: notables.slice(0, mostWatched).map((row) => presentNotable(row, now)),
        covered,
        truncated: activities.length > mostWatched,
      }
    },
    async find(ids, now) {
      const where = (wanted: readonly string[]) => ({ repository_id: repository.id, id: { in: [...wanted] } })
      const related =
        mayRead && ids.activities.length > 0 ? await findRelatedWork(db, repository.id, ids.activities, now) : []
      const wanted = [...new Set([...ids.activities, ...related])]
      const visible = mayRead ? {} : { source: 'recorded' }
      const [activities, notables] = await Promise.all([
        wanted.length > 0
          ? db.prisma.activity.findMany({ where: { ...where(wanted), ...visible }, omit: { expires_hour: true } })
          : [],
        ids.notables.length > 0 ? db.prisma.notable.findMany({ where: where(ids.notables) }) : [],
      ])
      return {
        activities: await present(activities, now),
        notables: notables.map((row) => presentNotable(row, now)),
      }
    },
    pairsOf: async () => [],
  }
}
