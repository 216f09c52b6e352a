import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { getOrCreate } from '../lib/maps.ts'
import { type ComparedActivity, comparedColumns } from './compared-activity.ts'

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

/** Over twenty thousand usual activities, and under 60 MB of any (measured). */
const MAX_KEPT_BYTES = 50_000_000

/** By id. In two repositories there may be one of the same id: the one that was asked for last is kept. */
type Cache = LRUCache<string, { repositoryId: bigint; version: string; activity: KnownActivity }>
const caches = new WeakMap<pg.Pool, Cache>()

function newCache(): Cache {
  return new LRUCache({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ activity }) => sizeOf(activity) })
}

/** About how many bytes it takes. */
export function sizeOf({ areas, paths, ...activity }: KnownActivity): number {
  const { title, actor, agent, branch, base_branch, pr_url } = activity
  const lists = [...areas, ...paths]
  const texts = bytesOfTexts(title, actor, agent ?? '', branch ?? '', base_branch ?? '', pr_url ?? '', ...lists)
  return 600 + 40 * lists.length + texts
}

/** About how many bytes texts take: two a character, where one of them is above U+00FF. */
function bytesOfTexts(...texts: string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, 0)
}

/**
 * The activities of a repository in these versions, in this order. Reads those alone that are not known yet, since writing
 * a row out costs PostgreSQL, and reading it the service, several times as much as naming it. One that has changed since
 * comes as it is now; one that is gone is left out.
 */
export async function activitiesIn(
  pool: pg.Pool,
  repositoryId: bigint,
  versions: readonly RowVersion[],
): Promise<KnownActivity[]> {
  const cache = getOrCreate(caches, pool, newCache)
  const activities = versions.map(({ id, version }) => {
    const known = cache.get(id)
    return known?.version === version && known.repositoryId === repositoryId ? known.activity : undefined
  })
  const read = new Map<string, KnownActivity>()
  const missing = versions.filter((_, at) => activities[at] === undefined).map(({ id }) => id)
  if (missing.length > 0) {
    const { rows } = await pool.query<KnownActivity & { version: string }>(
      `select ${comparedColumns}, pr_url, ended_at, ${versionColumn} from activities where repository_id = $1 and id = any($2)`,
      [repositoryId, missing],
    )
    for (const { version, ...activity } of rows) {
      cache.set(activity.id, { repositoryId, version, activity })
      read.set(activity.id, activity)
    }
  }
  return versions.flatMap(({ id }, at) => activities[at] ?? read.get(id) ?? [])
}
