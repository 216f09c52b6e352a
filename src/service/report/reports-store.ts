import type { Database } from '../db/database.ts'
import type { PullRequest, PullRequestReport } from '../db/generated/client.ts'

/** The check run of a head, as it was written last (`pull_request_reports`). */
export type WrittenReport = PullRequestReport

/**
 * The check run of a head. One of a service in shadow does not count for a service that writes, nor the other way
 * round.
 */
export async function findReport(
  { prisma }: Database,
  repository_id: bigint,
  head_sha: string,
  shadow: boolean,
): Promise<WrittenReport | null> {
  const found = await prisma.pullRequestReport.findUnique({
    where: { repository_id_head_sha: { repository_id, head_sha } },
  })
  return found?.shadow === shadow ? found : null
}

/** Whether any head of these pull requests had a check run. */
export async function hadReport(
  { prisma }: Database,
  repository_id: bigint,
  numbers: readonly number[],
  shadow: boolean,
): Promise<boolean> {
  const where = { repository_id, number: { in: [...numbers] }, shadow }
  return (await prisma.pullRequestReport.count({ where })) > 0
}

/** The pull requests that the reports of this one named, and those whose reports named it. */
export async function namedBefore({ prisma }: Database, repository_id: bigint, number: number): Promise<number[]> {
  const [own, others] = await Promise.all([
    prisma.pullRequestReport.findMany({ where: { repository_id, number }, select: { named: true } }),
    prisma.pullRequestReport.findMany({
      where: { repository_id, named: { has: number } },
      select: { number: true },
      take: 100,
    }),
  ])
  return [...own.flatMap(({ named }) => named), ...others.map(({ number: other }) => other)]
}

/** Saves a check run, and forgets those of former heads of its pull request. */
export async function saveReport({ prisma }: Database, report: WrittenReport): Promise<void> {
  const { repository_id, head_sha, number } = report
  await prisma.pullRequestReport.upsert({
    where: { repository_id_head_sha: { repository_id, head_sha } },
    create: report,
    update: report,
  })
  await prisma.pullRequestReport.deleteMany({ where: { repository_id, number, head_sha: { not: head_sha } } })
}

/** Saves which pull requests a report names now. Its text stays. */
export async function saveNamed(
  { prisma }: Database,
  { repository_id, head_sha }: Pick<WrittenReport, 'repository_id' | 'head_sha'>,
  names: Pick<WrittenReport, 'named' | 'same_lines'>,
): Promise<void> {
  await prisma.pullRequestReport.updateMany({ where: { repository_id, head_sha }, data: names })
}

export function findPullRequest(
  { prisma }: Database,
  repository_id: bigint,
  number: number,
): Promise<PullRequest | null> {
  return prisma.pullRequest.findUnique({ where: { repository_id_number: { repository_id, number } } })
}

/** The open pull requests of a head, by number. */
export function findPullsOfHead({ prisma }: Database, repository_id: bigint, head_sha: string): Promise<PullRequest[]> {
  return prisma.pullRequest.findMany({ where: { repository_id, head_sha, state: 'open' }, orderBy: { number: 'asc' } })
}

/** The open pull requests with one of these numbers, or of one of these branches of the repository itself. */
export function findOpenPulls(
  { prisma }: Database,
  repository_id: bigint,
  { numbers, branches }: { numbers: readonly number[]; branches: readonly string[] },
): Promise<PullRequest[]> {
  const ofBranch = { head_repository_id: repository_id, head_ref: { in: [...branches] } }
  return prisma.pullRequest.findMany({
    where: { repository_id, state: 'open', OR: [{ number: { in: [...numbers] } }, ofBranch] },
  })
}

/** How many other open pull requests are not read yet, and how many GitHub does not list all files of. */
export async function countLeftOut(
  { prisma }: Database,
  repository_id: bigint,
  without: readonly number[],
): Promise<{ unread: number; partlyListed: number }> {
  const others = { repository_id, state: 'open', number: { notIn: [...without] } }
  const [unread, partlyListed] = await Promise.all([
    prisma.pullRequest.count({ where: { ...others, unread_since: { not: null } } }),
    prisma.pullRequest.count({ where: { ...others, partly_listed: true, activity_id: { not: null } } }),
  ])
  return { unread, partlyListed }
}

/** Which of these pull requests were merged after this instant, the latest first. */
export async function findMergedPulls(
  { prisma }: Database,
  repository_id: bigint,
  numbers: readonly number[],
  after: Date,
): Promise<{ number: number; login: string; mergedAt: Date }[]> {
  if (numbers.length === 0) return []
  const where = { repository_id, source: 'pull_request', archived_reason: 'merged', ended_at: { gt: after } }
  const rows = await prisma.activity.findMany({
    where: { ...where, pr_repository_id: repository_id, pr_number: { in: [...numbers] } },
    select: { pr_number: true, actor: true, author_login: true, ended_at: true },
    orderBy: { ended_at: 'desc' },
  })
  return rows.flatMap(({ pr_number, actor, author_login, ended_at }) =>
    pr_number === null || ended_at === null
      ? []
      : { number: pr_number, login: author_login ?? actor, mergedAt: ended_at },
  )
}
