import type { Activity } from '../../core/schemas/activity.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import type { Context, Viewer } from '../context.ts'
import { observationOff } from '../observed/observation-state.ts'
import { checksOfActivities } from '../overlap/check-activities.ts'
import { findActivities } from '../records/activity/activities.sql.ts'
import { pageOfActivities } from '../records/activity/activity-page.sql.ts'
import { loadDetails } from '../records/activity/details/load-details.ts'
import { presentActivity, statusOf, withExpiryApplied } from '../records/activity/present.ts'
import { isLive } from '../records/activity/status.ts'
import { pageOfNotables } from '../records/notable/notables.sql.ts'
import { presentNotable } from '../records/notable/present.ts'
import type { Settings } from '../records/settings/schema.ts'
import type { PrepareChecks } from './pair-table.ts'
import { findRelatedWork } from './related-work.sql.ts'

/** How many records are read at a time. Each may be as large as a request, and reading them keeps the process busy. */
const readAtATime = { activities: 50, notables: 10 }
/** How many collisions of one activity are described: the worst. Each costs as much as a line of a check. */
const mostOfOne = 50

/** Reads what is in a repository, as one kind of viewer may see it. Pages are small, as records may be large. */
export interface LiveSource {
  /** The live records, newest first. */
  activities(now: Date): AsyncIterable<readonly Activity[]>
  notables(now: Date): AsyncIterable<readonly Notable[]>
  /**
   * The records as they are, live or ended; a deleted or hidden one is left out. With them come the observed work that they
   * may cover, and what covers them.
   */
  find(
    ids: { activities: readonly string[]; notables: readonly string[] },
    now: Date,
  ): AsyncIterable<{ activities: readonly Activity[]; notables: readonly Notable[] }>
  /** Prepares checks of live activities, and returns them by id. Leaves out those that are no longer live. */
  checksOf: PrepareChecks
}

interface SourceOptions {
  /** Whether the viewers see observed work and what GitHub says about changes. */
  mayRead: boolean
  /** The settings of the repository as they are now. */
  currentSettings(): Promise<Settings>
}

/** Reads a repository for its streams. The context of the first stream serves all viewers who see the same. */
export function liveSource(first: Context, { mayRead, currentSettings }: SourceOptions): LiveSource {
  const { db, repository } = first
  const repositoryId = repository.id
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
    activities: (now) =>
      pages(readAtATime.activities, async (page) => {
        const filters = { observed: mayRead }
        return present(await pageOfActivities(db, { ...page, repositoryId, filters, now, endedAfter: now }), now)
      }),
    notables: (now) =>
      pages(readAtATime.notables, async (page) => {
        const rows = await pageOfNotables(db, { ...page, repositoryId, filters: {}, now, endedAfter: now })
        return rows.map((row) => presentNotable(row, now))
      }),
    async *find(ids, now) {
      const related =
        mayRead && ids.activities.length > 0 ? await findRelatedWork(db, repository.id, ids.activities, now) : []
      for (const some of chunks([...new Set([...ids.activities, ...related])], readAtATime.activities)) {
        const rows = await findActivities(db, repository.id, some)
        const visible = rows.filter(({ source }) => mayRead || source === 'recorded')
        yield { activities: await present(visible, now), notables: [] }
      }
      for (const some of chunks(ids.notables, readAtATime.notables)) {
        const rows = await db.prisma.notable.findMany({
          where: { repository_id: repository.id, id: { in: some } },
          omit: { changed_by: true },
        })
        yield { activities: [], notables: rows.map((row) => presentNotable(row, now)) }
      }
    },
    async checksOf(ids, now) {
      const rows = await findActivities(db, repository.id, ids)
      const live = rows.filter((row) => isLive(statusOf(withExpiryApplied(row, now))))
      const context = { ...first, now, viewer, settings: await currentSettings() }
      const checks = await checksOfActivities(context, live, mostOfOne)
      const changedAt = new Map(live.map((row) => [row.id, row.work_changed_at ?? row.opened_at ?? row.created_at]))
      return new Map(
        [...checks].map(([id, check]) => [
          id,
          async () => ({ ...(await check()), changedAt: changedAt.get(id) ?? now }),
        ]),
      )
    },
  }
}

/** Reads pages, each after the last record of the one before, until one is not full. */
async function* pages<Item extends { id: string }>(
  count: number,
  read: (page: { after: string | undefined; count: number }) => Promise<Item[]>,
): AsyncIterable<Item[]> {
  let page: Item[] | undefined
  do {
    page = await read({ after: page?.at(-1)?.id, count })
    yield page
  } while (page.length === count)
}

function chunks(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size))
}
