import { type CheckRun, Prisma } from '../db/generated/client.ts'
import type { Transaction } from '../db/retry.ts'

type Head = Pick<CheckRun, 'repository_id' | 'number' | 'head_sha'>

/** An event of a pull request: it has a check run from now on, one for each head. */
export async function beginCheckRun(
  tx: Transaction,
  { repository_id, number, head_sha }: Head,
  now: Date,
): Promise<void> {
  await tx.checkRun.createMany({ data: [{ repository_id, number, head_sha }], skipDuplicates: true })
  await moveToHead(tx, { repository_id, number, head_sha }, now)
}

/** The files of a head are read: what there is of a check run becomes that of this head, and whoever names its work looks again. */
export async function followReadHead(tx: Transaction, head: Head, now: Date): Promise<void> {
  await moveToHead(tx, head, now)
  const where = { repository_id: head.repository_id, pr_number: head.number }
  const records = await tx.activity.findMany({ where, select: { id: true } })
  await lookAgain(tx, head.repository_id, { ids: records.map(({ id }) => id) }, now)
}

/** GitHub has a check run for each head. */
async function moveToHead(tx: Transaction, { repository_id, number, head_sha }: Head, now: Date): Promise<void> {
  await tx.$executeRaw`
    update check_runs set head_sha = ${head_sha}, due_at = ${now}, attempts = 0,
           check_run_id = case when head_sha = ${head_sha} then check_run_id end,
           written = case when head_sha = ${head_sha} then written end
     where repository_id = ${repository_id} and number = ${number}`
}

/** The pull request has ended. Another one of this head writes from now on. */
export async function endCheckRun(tx: Transaction, repository_id: bigint, number: number, now: Date): Promise<void> {
  const [ended] = await tx.$queryRaw<CheckRun[]>`
    delete from check_runs where repository_id = ${repository_id} and number = ${number} returning *`
  if (ended) await setDue(tx, repository_id, Prisma.sql`head_sha = ${ended.head_sha}`, now)
}

/** Somebody pressed "Re-run": it is written again, whatever it says. */
export async function runAgain(tx: Transaction, repository_id: bigint, head_sha: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    update check_runs set written = null, due_at = ${now}, attempts = 0
     where repository_id = ${repository_id} and head_sha = ${head_sha}`
}

/** What changed in a repository, as far as check runs may tell of it. */
export interface Changed {
  /** Pull requests that are compared anew. */
  numbers?: readonly number[]
  /** Activities and notables that changed or ended: whatever names them is looked at again. */
  ids?: readonly string[]
}

/** Both sides learn of a collision, and of its end. */
export async function lookAgain(
  tx: Transaction,
  repository_id: bigint,
  { numbers = [], ids = [] }: Changed,
  now: Date,
): Promise<void> {
  if (numbers.length + ids.length === 0) return
  const concerned = Prisma.sql`(number = any(${[...numbers]}::integer[]) or named && ${[...ids]}::text[])`
  await setDue(tx, repository_id, concerned, now)
}

/** A blocking or critical notable concerns every open pull request. */
export function lookAtAll(tx: Transaction, repository_id: bigint, now: Date): Promise<void> {
  return setDue(tx, repository_id, Prisma.sql`true`, now)
}

async function setDue(tx: Transaction, repository_id: bigint, which: Prisma.Sql, now: Date): Promise<void> {
  await tx.$executeRaw`
    update check_runs set due_at = ${now}, attempts = 0 where (repository_id, number) in (
      select repository_id, number from check_runs where repository_id = ${repository_id} and ${which} order by number for update)`
}

/** Repositories of the App in which a check run is due, those that wait longest first. */
export function repositoriesWithDue(
  prisma: Transaction,
  { now, most }: { now: Date; most: number },
): Promise<{ repository_id: bigint; installation_id: bigint }[]> {
  return prisma.$queryRaw`
    select repository_id, installation_id from check_runs join repositories using (repository_id)
     where due_at <= ${now} and installation_id is not null and not is_suspended and may_write_checks is not false
     group by repository_id, installation_id order by min(due_at) limit ${most}`
}

/** Takes what is due, on any number of instances. Taking one sets its next try: after 1, 2, 4 … 64 minutes. */
export function takeDue(
  prisma: Transaction,
  repository_id: bigint,
  { now, most }: { now: Date; most: number },
): Promise<CheckRun[]> {
  return prisma.$queryRaw<CheckRun[]>`
    update check_runs set attempts = attempts + 1,
           due_at = ${now}::timestamptz + interval '1 minute' * 2 ^ least(attempts, 6)
     where repository_id = ${repository_id} and number in (
       select number from check_runs where repository_id = ${repository_id} and due_at <= ${now}
        order by due_at, number limit ${most} for update skip locked)
    returning *`
}

/** GitHub's limit is spent until then: nothing of this repository is tried before. */
export async function postpone(prisma: Transaction, repository_id: bigint, until: Date): Promise<void> {
  await prisma.checkRun.updateMany({ where: { repository_id, due_at: { lt: until } }, data: { due_at: until } })
}

/** Whether another open pull request with a lower number has this head, and a check run: that one writes. */
export async function isWrittenByAnother(
  prisma: Transaction,
  { repository_id, number, head_sha }: CheckRun,
  withDrafts: boolean,
): Promise<boolean> {
  const lower = await prisma.$queryRaw<object[]>`
    select number from check_runs as run join pull_requests as pull using (repository_id, number)
     where repository_id = ${repository_id} and number < ${number} and run.head_sha = ${head_sha}
       and pull.head_sha = ${head_sha} and is_open and (${withDrafts} or not is_draft)
       and exists (select from activities where repository_id = ${repository_id} and pr_number = number
                      and source = 'pull_request' and ended_at is null)`
  return lower.length > 0
}

/** What was written. A mark that was set meanwhile stays: it is looked at again. */
export async function saveWritten(
  tx: Transaction,
  { repository_id, number, head_sha, due_at }: CheckRun,
  saved: Pick<CheckRun, 'check_run_id' | 'written' | 'named'> & { nextAt: Date | null },
): Promise<void> {
  await tx.$executeRaw`
    update check_runs set check_run_id = ${saved.check_run_id}, written = ${saved.written}, named = ${saved.named},
           due_at = case when due_at = ${due_at} then ${saved.nextAt}::timestamptz else due_at end,
           attempts = case when due_at = ${due_at} then 0 else attempts end
     where repository_id = ${repository_id} and number = ${number} and head_sha = ${head_sha}`
}
