import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { getOrCreate } from '../../lib/maps.ts'
import { type LoadedActivity, listColumns, type RowVersion } from './rows.ts'

const columns = `id, title, actor, agent, status, branch, base_branch, risk, blocking, ${listColumns}, pr_url, ended_at`

/** The transaction that wrote the row's version. A version is visible to others once it is committed, and never changes. */
export const versionColumn = 'xmin::text as version'

/** Room for more than 20,000 usual activities. The cache takes less than 60 MB (measured). */
const MAX_CACHE_BYTES = 50_000_000

/** By activity id. If two repositories have the same id, the one read last is cached. */
type Cache = LRUCache<string, { repositoryId: bigint; version: string; activity: LoadedActivity }>
type CachedDatabase = Pick<Database, 'query' | 'onConnectionLost'>
const caches = new WeakMap<CachedDatabase, { cache: Cache }>()

function newCache(): Cache {
  return new LRUCache({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ activity }) => sizeOf(activity) })
}

/** A new cache after a lost connection: a restored or lagging server may have given a version to another row. */
function newHolder(db: CachedDatabase): { cache: Cache } {
  const holder = { cache: newCache() }
  db.onConnectionLost(() => {
    holder.cache = newCache()
  })
  return holder
}

/** The approximate size of an activity in bytes. */
export function sizeOf({ areas, paths, ...activity }: LoadedActivity): number {
  const { title, actor, agent, branch, base_branch, pr_url } = activity
  const lists = [...areas, ...paths]
  const texts = bytesOfTexts(title, actor, agent ?? '', branch ?? '', base_branch ?? '', pr_url ?? '', ...lists)
  return 600 + 40 * lists.length + texts
}

/** Two bytes a character: V8 stores a text so if one of its characters is above U+00FF. */
function bytesOfTexts(...texts: string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, 0)
}

/**
 * Loads these versions of activities, in this order. Only versions that are not cached are read: selecting and parsing a row
 * costs several times as much as naming its version. If a row has changed since, it is returned as it is now. A deleted row is
 * left out.
 */
export async function loadActivities(
  db: CachedDatabase,
  repositoryId: bigint,
  versions: readonly RowVersion[],
): Promise<LoadedActivity[]> {
  const { cache } = getOrCreate(caches, db, () => newHolder(db))
  const activities = versions.map(({ id, version }) => {
    const cached = cache.get(id)
    return cached?.version === version && cached.repositoryId === repositoryId ? cached.activity : undefined
  })
  const read = new Map<string, LoadedActivity>()
  const missing = versions.filter((_, at) => activities[at] === undefined).map(({ id }) => id)
  if (missing.length > 0) {
    const { rows } = await db.query<LoadedActivity & { version: string }>(
      `select ${columns}, ${versionColumn} from activities where repository_id = $1 and id = any($2)`,
      [repositoryId, missing],
    )
    for (const { version, ...activity } of rows) {
      cache.set(activity.id, { repositoryId, version, activity })
      read.set(activity.id, activity)
    }
  }
  return versions.flatMap(({ id }, at) => activities[at] ?? read.get(id) ?? [])
}
