import type { Observation } from '../../core/texts/answer.ts'
import type { PrismaClient, Repository as Row } from '../db/generated/client.ts'
import { isOfMember } from '../observed/strangers.ts'

const minute = 60_000
/** How old the last reading may be: callers read at most once a minute, the App once an hour. */
const freshMs = { callers: 5 * minute, app: 120 * minute }

type ReadingTimes = Pick<Row, 'pulls_read_at' | 'pulls_failed_at'>

export const nothingRead = { as_of: null, unread: 0, unlisted: 0, unreadOfStrangers: 0 } as const

/** How far the pull requests are read, where they are observed and this caller may see them. */
export function readingState(
  { pulls_read_at: read, pulls_failed_at: failed }: ReadingTimes,
  byApp: boolean,
  now: Date,
) {
  if (read === null) return 'reading'
  const isFresh = now.getTime() - read.getTime() < (byApp ? freshMs.app : freshMs.callers)
  return isFresh && (failed === null || failed <= read) ? 'current' : 'stale'
}

/** Pull requests whose files are not read. */
interface Unread {
  of_members: number
  of_strangers: number
}

/** Reads it anew: a reading may just have ended. */
export async function observationOf(
  prisma: PrismaClient,
  repository_id: bigint,
  { byApp, now }: { byApp: boolean; now: Date },
): Promise<Observation> {
  const [found] = await prisma.$queryRaw<(ReadingTimes & Pick<Row, 'pulls_unlisted'> & Unread)[]>`
    select pulls_read_at, pulls_failed_at, pulls_unlisted, of_members, of_strangers
      from repositories, lateral (
        select count(*) filter (where ${isOfMember})::integer as of_members,
               count(*) filter (where not ${isOfMember})::integer as of_strangers
          from pull_requests as pull
         where pull.repository_id = ${repository_id} and is_open and read_head is distinct from head_sha
           and exists (select from activities where repository_id = ${repository_id} and pr_number = pull.number
                          and source = 'pull_request' and ended_at is null)) as unread
     where repository_id = ${repository_id}`
  if (!found) return { pull_requests: 'reading', ...nothingRead }
  const { pulls_read_at: as_of, pulls_unlisted: unlisted, of_members, of_strangers } = found
  const unread = { unread: unlisted + of_members, unlisted, unreadOfStrangers: of_strangers }
  return { pull_requests: readingState(found, byApp, now), as_of, ...unread }
}
