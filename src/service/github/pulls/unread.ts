import type { PullRequest } from '../../db/generated/client.ts'
import type { Transaction } from '../../db/retry.ts'
import { isOfMember } from '../../observed/strangers.ts'

const mostTries = 8

/**
 * Takes pull requests whose files are to be read, those of members first, on any number of instances. Taking one sets its next try:
 * after 1 to 64 minutes, eight times; then it stays unread until its next push.
 */
export function takeUnread(
  prisma: Transaction,
  repository_id: bigint,
  { now, most, withStrangers }: { now: Date; most: number; withStrangers: boolean },
): Promise<PullRequest[]> {
  return prisma.$queryRaw<PullRequest[]>`
    update pull_requests set attempts = attempts + 1,
           read_after = case when attempts + 1 < ${mostTries} then ${now}::timestamptz + interval '1 minute' * 2 ^ attempts end
     where repository_id = ${repository_id} and number in (
       select number from pull_requests as pull
        where repository_id = ${repository_id} and is_open and read_after <= ${now} and (${withStrangers} or ${isOfMember})
        order by ${isOfMember} desc, read_after, number limit ${most} for update skip locked)
    returning *`
}

/** Repositories of the App with something to read, those that wait longest first. */
export async function repositoriesToRead(prisma: Transaction, now: Date): Promise<bigint[]> {
  const rows = await prisma.$queryRaw<{ repository_id: bigint }[]>`
    select repository_id from pull_requests join repositories using (repository_id)
     where is_open and read_after <= ${now} and installation_id is not null and not is_suspended
     group by repository_id order by min(read_after) limit 100`
  return rows.map(({ repository_id }) => repository_id)
}
