import type { PullRequest } from '../db/generated/client.ts'
import type { Transaction } from '../db/retry.ts'
import type { PullFacts } from '../github/pulls/pull-facts.ts'
import type { Linking } from '../records/pull-links.ts'
import type { SettingValues } from '../records/settings.ts'

/** What is needed to save what GitHub says of a repository's pull requests. */
export interface Observing extends Linking {
  settings: SettingValues
  /** The time of the database. */
  now: Date
}

/** The row of a pull request, locked. Everybody locks it before activities, so nobody waits in a circle. */
export async function lockPull(tx: Transaction, repository_id: bigint, number: number): Promise<PullRequest | null> {
  const [row] = await tx.$queryRaw<PullRequest[]>`
    select * from pull_requests where repository_id = ${repository_id} and number = ${number} for update`
  return row ?? null
}

/** The same, made of these facts where there is none. */
export async function lockOrInsertPull(tx: Transaction, { repository, now }: Observing, facts: PullFacts) {
  const data = { repository_id: repository.id, ...facts, updated_at: now }
  const known = await lockPull(tx, repository.id, facts.number)
  if (known) return { row: known, isNew: false }
  const { count } = await tx.pullRequest.createMany({ data, skipDuplicates: true })
  const row = await lockPull(tx, repository.id, facts.number)
  if (!row) throw new Error('a pull request was deleted while it was saved')
  return { row, isNew: count === 1 }
}

/** Events and lists come late and out of order. GitHub's times are whole seconds: of one second, the end counts. */
export function isOutdated(row: PullRequest, facts: PullFacts, isReopened: boolean): boolean {
  const ahead = facts.github_updated_at.getTime() - row.github_updated_at.getTime()
  if (ahead !== 0) return ahead < 0
  return !row.is_open && facts.is_open && !isReopened
}

/** An open pull request as it is known, and whether it has its live record or was put aside at this head. */
export type KnownPull = PullRequest & { is_settled: boolean }

export async function knownPulls(tx: Transaction, repository_id: bigint): Promise<Map<number, KnownPull>> {
  const rows = await tx.$queryRaw<KnownPull[]>`
    select pull.*, put_aside_head is not distinct from head_sha or exists (
             select from activities where repository_id = ${repository_id} and pr_number = pull.number
                and source = 'pull_request' and ended_at is null) as is_settled
      from pull_requests as pull where repository_id = ${repository_id} and is_open`
  return new Map(rows.map((row) => [row.number, row]))
}
