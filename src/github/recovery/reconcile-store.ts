import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { BranchWork } from './reconcile-rules.ts'

/** A repository that live work has a branch in, or is linked to a pull request of. */
export interface Target {
  id: bigint
  owner: string
  name: string
  /** Since when the oldest of that work is there. */
  oldestWork: Date
}

interface TargetRow {
  repository_id: bigint
  owner: string | null
  name: string | null
  oldest: Date
  pr_url: string | null
}

/**
 * The repositories to compare, the one that waited longest first. Crosses repositories on purpose, by the index of what is
 * live. A repository that nobody uses has its names out of a link.
 */
export async function findTargets({ prisma }: Database, now: Date): Promise<Target[]> {
  const rows = await prisma.$queryRaw<TargetRow[]>`
    with live as (
      select repository_id, branch, pr_repository_id, pr_url, created_at from activities where ended_at is null and expires_at > ${now}),
    concerned as (
      select repository_id, created_at, null as pr_url from live where branch is not null
      union all select pr_repository_id, created_at, pr_url from live where pr_repository_id is not null)
    select repository_id, known.owner, known.name, min(concerned.created_at) as oldest, max(concerned.pr_url) as pr_url
      from concerned left join repositories as known using (repository_id) left join reconciliations as last using (repository_id)
     group by repository_id, known.owner, known.name, last.reconciled_at
     order by last.reconciled_at nulls first, repository_id`
  return rows.flatMap(({ repository_id: id, owner, name, oldest: oldestWork, pr_url }) => {
    if (owner !== null && name !== null) return { id, owner, name, oldestWork }
    const [, linkedOwner, linkedName] = /^https:\/\/[^/]+\/([^/]+)\/([^/]+)\/pull\//.exec(pr_url ?? '') ?? []
    if (linkedOwner === undefined || linkedName === undefined) return []
    return { id, owner: linkedOwner, name: linkedName, oldestWork }
  })
}

/** What the last pass kept of a repository. */
export interface ReconcileState {
  full_name: string
  default_branch: string
  repository_etag: string | null
  pulls_etag: string | null
  heads_etags: string[]
  reconciled_at: Date
}

export async function readState({ prisma }: Database, repository_id: bigint): Promise<ReconcileState | null> {
  return prisma.reconciliation.findUnique({ where: { repository_id } })
}

/** `heads_etags` null leaves those that are kept: a sighting may have voided them meanwhile. */
export async function saveState(
  tx: Prisma.TransactionClient,
  repository_id: bigint,
  { heads_etags, ...kept }: Omit<ReconcileState, 'heads_etags'> & { heads_etags: string[] | null },
): Promise<void> {
  await tx.reconciliation.upsert({
    where: { repository_id },
    create: { repository_id, ...kept, heads_etags: heads_etags ?? [] },
    update: heads_etags === null ? kept : { ...kept, heads_etags },
  })
}

/** Archives this work, as far as it is live and on that branch still. */
export function archiveVanished(
  tx: Prisma.TransactionClient,
  { repositoryId, gone, now }: { repositoryId: bigint; gone: readonly BranchWork[]; now: Date },
): Promise<number> {
  return tx.$executeRaw`
    update activities as activity
       set status = 'archived', archived_reason = 'branch_deleted', archived_at = ${now}, ended_at = ${now}, updated_at = ${now}
      from unnest(${gone.map(({ id }) => id)}::text[], ${gone.map(({ branch }) => branch)}::text[]) as gone(id, branch)
     where activity.repository_id = ${repositoryId} and activity.id = gone.id and activity.branch = gone.branch
       and activity.ended_at is null and activity.expires_at > ${now}`
}

const restsFact = 'github_rests'
const Rests = z.record(z.string(), z.number()).catch({})

/** Until when GitHub has to be left alone, in ms since 1970, by the lower-case owner whose installation's limit it is. */
export async function readPauses({ prisma }: Database): Promise<Map<string, number>> {
  const fact = await prisma.serviceFact.findUnique({ where: { name: restsFact } })
  return new Map(Object.entries(Rests.parse(fact?.value)))
}

export async function savePauses({ prisma }: Database, rests: ReadonlyMap<string, number>, now: Date): Promise<void> {
  const ahead = [...rests].filter(([, until]) => until > now.getTime())
  const fact = { value: Object.fromEntries(ahead), updated_at: now }
  await prisma.serviceFact.upsert({ where: { name: restsFact }, create: { name: restsFact, ...fact }, update: fact })
}
