import { LRUCache } from 'lru-cache'
import { AppError, type LimitName } from '../../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { isWithin } from '../../lib/clock.ts'
import { createCoalescer } from '../../lib/coalesce.ts'
import type { RecordLimits } from './default-limits.ts'
import { countRecords, type RecordCounts } from './record-counts.sql.ts'

/** The limit on active notables about the whole repository. Each check reads all of them. */
const maxRepositoryNotables = 100

/** How long a count is used, in ms. The records that are created in that time may exceed a limit. */
const countHoldsMs = 1_000

export type NewRecord = 'activity' | 'notable' | 'repository notable'

export interface RecordLimiter {
  /** Throws `limit_reached` where the repository holds as many records as it may. */
  assertRoom(repositoryId: bigint, kind: NewRecord, now: Date): Promise<void>
}

const limitsOf: Record<NewRecord, readonly LimitName[]> = {
  activity: ['live_activities', 'records'],
  notable: ['notables', 'records'],
  'repository notable': ['notables', 'repository_notables', 'records'],
}

const inWords: Record<LimitName, { what: string; variable?: string }> = {
  live_activities: { what: 'live activities', variable: 'HEADSUP_MAX_LIVE_ACTIVITIES' },
  notables: { what: 'active notables', variable: 'HEADSUP_MAX_NOTABLES' },
  repository_notables: { what: 'active notables about the whole repository' },
  records: { what: 'records, ended ones included', variable: 'HEADSUP_MAX_RECORDS' },
}

/** Counts the records of a repository once a second at most: creates within a second, and those that wait, share a count. */
export function createRecordLimiter(db: Pick<Database, 'query'>, limits: RecordLimits): RecordLimiter {
  const max: RecordCounts = {
    live_activities: limits.liveActivities,
    notables: limits.notables,
    repository_notables: maxRepositoryNotables,
    records: limits.records,
  }
  const recent = new LRUCache<bigint, { counts: RecordCounts; at: number }>({ max: 10_000 })
  const pending = createCoalescer<RecordCounts>()

  async function count(repositoryId: bigint, now: Date): Promise<RecordCounts> {
    const last = recent.get(repositoryId)
    if (last && isWithin(last.at, countHoldsMs, now.getTime())) return last.counts
    return await pending.run(String(repositoryId), async () => {
      const counts = await countRecords(db, repositoryId, now, max)
      recent.set(repositoryId, { counts, at: now.getTime() })
      return counts
    })
  }

  return {
    async assertRoom(repositoryId, kind, now) {
      const counts = await count(repositoryId, now)
      const limit = limitsOf[kind].find((name) => counts[name] >= max[name])
      if (limit !== undefined) throw limitReached(limit, max[limit])
    },
  }
}

function limitReached(limit: LimitName, max: number): AppError {
  const { what, variable } = inWords[limit]
  const setting = variable === undefined ? '' : ` (${variable})`
  return new AppError(
    'limit_reached',
    `This repository holds ${max.toLocaleString('en')} ${what}, as many as it may${setting}.`,
    {
      limit,
    },
  )
}
