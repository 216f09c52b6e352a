import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { remembered } from '../scope/remembered.ts'
import { type ComparedActivity, comparedColumns } from './stack-store.ts'

/** An activity as a check needs it, whether live or ended. */
export interface KnownActivity extends ComparedActivity {
  pr_url: string | null
  ended_at: Date | null
}

/** A row as it is at the time: every change of it makes another version, a heartbeat too. */
export interface RowVersion {
  id: string
  version: string
}

/** The transaction that wrote a row's present version: a version is seen by others once it is final, and never changes. */
export const versionColumn = 'xmin::text as version'

/** Some ten thousand usual activities, and under 100 MB of any. */
const MAX_KEPT_CHARACTERS = 20_000_000

type Cache = LRUCache<string, { version: string; activity: KnownActivity }>
const caches = new WeakMap<pg.Pool, Cache>()

function newCache(): Cache {
  return new LRUCache({ maxSize: MAX_KEPT_CHARACTERS, sizeCalculation: ({ activity }) => sizeOf(activity) })
}

function sizeOf({ title, areas, paths }: KnownActivity): number {
  let size = 500 + title.length
  for (const text of areas) size += 50 + text.length
  for (const text of paths) size += 50 + text.length
  return size
}

/**
 * The activities of a repository in these versions, in this order. Reads those alone that are not known yet, since writing a row out
 * costs PostgreSQL, and reading it the service, several times as much as naming it. One that has changed since comes as it
 * is now; one that is gone is left out.
 */
export async function activitiesIn(
  pool: pg.Pool,
  repositoryId: bigint,
  versions: readonly RowVersion[],
): Promise<KnownActivity[]> {
  const cache = remembered(caches, pool, newCache)
  const keyOf = (id: string) => `${repositoryId}/${id}`
  const found = new Map<string, KnownActivity>()
  const missing: string[] = []
  for (const { id, version } of versions) {
    const known = cache.get(keyOf(id))
    if (known?.version === version) found.set(id, known.activity)
    else missing.push(id)
  }
  if (missing.length > 0) {
    const { rows } = await pool.query<KnownActivity & { version: string }>(
      `select ${comparedColumns}, pr_url, ended_at, ${versionColumn} from activities where repository_id = $1 and id = any($2)`,
      [repositoryId, missing],
    )
    for (const { version, ...activity } of rows) {
      cache.set(keyOf(activity.id), { version, activity })
      found.set(activity.id, activity)
    }
  }
  return versions.flatMap(({ id }) => found.get(id) ?? [])
}
