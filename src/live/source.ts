import { findActivities, internalColumns } from '../activity/activities.sql.ts'
import { loadDetails } from '../activity/details/load-details.ts'
import { pageOfActivities } from '../activity/page.sql.ts'
import { presentActivity, statusOf, withExpiryApplied } from '../activity/present.ts'
import { isLive } from '../activity/status.ts'
import type { Context, Viewer } from '../context.ts'
import { pageOfNotables } from '../notable/notables.sql.ts'
import { presentNotable } from '../notable/present.ts'
import { observationOff } from '../observed/freshness.ts'
import { viewsOfActivities } from '../overlap/view.ts'
import type { Settings } from '../settings/schema.ts'
import { findCoveredWork, findRelatedWork } from './covered.sql.ts'
import { type LiveSource, mostWatched } from './watched-repository.ts'

/** How many collisions of one activity are described: the worst. Each costs as much as a line of a check. */
const mostOfOne = 50

interface SourceOptions {
  /** Whether the viewers see observed work and what GitHub says about changes. */
  mayRead: boolean
  /** The settings of the repository as they are now. */
  currentSettings(): Promise<Settings>
}

/** Reads a repository for its streams. The context of the first stream serves all viewers who see the same. */
export function liveSource(first: Context, { mayRead, currentSettings }: SourceOptions): LiveSource {
  const { db, repository } = first
  const page = { repositoryId: repository.id, after: undefined, count: mostWatched + 1 }
  // The pairs are the same for every viewer, so no account makes work a viewer's own.
  const viewer: Viewer = {
    account: () => null,
    mayReadPullRequests: async () => mayRead,
    observationState: async () => observationOff,
  }

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
          ? db.prisma.activity.findMany({ where: { ...where(wanted), ...visible }, omit: internalColumns })
          : [],
        ids.notables.length > 0 ? db.prisma.notable.findMany({ where: where(ids.notables) }) : [],
      ])
      return {
        activities: await present(activities, now),
        notables: notables.map((row) => presentNotable(row, now)),
      }
    },
    async viewsOf(ids, now) {
      const rows = await findActivities(db, repository.id, ids)
      const live = rows.filter((row) => isLive(statusOf(withExpiryApplied(row, now))))
      const context = { ...first, now, viewer, settings: await currentSettings() }
      const views = await viewsOfActivities(context, live, mostOfOne)
      const changedAt = new Map(live.map((row) => [row.id, row.work_changed_at ?? row.opened_at ?? row.created_at]))
      return new Map(
        [...views].map(([id, view]) => [id, async () => ({ ...(await view()), changedAt: changedAt.get(id) ?? now })]),
      )
    },
  }
}
