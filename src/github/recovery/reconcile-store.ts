import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import type { BranchWork } from './reconcile-rules.ts'

/** What the last pass saved of a repository. */
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

/** With `heads_etags` null, the saved ones stay: `markBranchSeen` may have cleared them meanwhile. */
export async function saveState(
  tx: Prisma.TransactionClient,
  repository_id: bigint,
  { heads_etags, ...state }: Omit<ReconcileState, 'heads_etags'> & { heads_etags: string[] | null },
): Promise<void> {
  await tx.reconciliation.upsert({
    where: { repository_id },
    create: { repository_id, ...state, heads_etags: heads_etags ?? [] },
    update: heads_etags === null ? state : { ...state, heads_etags },
  })
}

/** Finds the live recorded work of a repository that has a branch, and its live pushed branches. */
export async function findBranchWork({ prisma }: Database, repository_id: bigint, now: Date): Promise<BranchWork[]> {
  const activities = await prisma.activity.findMany({
    where: {
      repository_id,
      source: { in: ['recorded', 'branch'] },
      branch: { not: null },
      ended_at: null,
      expires_at: { gt: now },
    },
    select: { id: true, branch: true, source: true },
  })
  const saved = await prisma.branchSighting.findMany({ where: { repository_id } })
  const lastOf = new Map(saved.map((last) => [last.activity_id, last]))
  return activities.flatMap(({ id, branch, source }) => {
    if (branch === null) return []
    const last = lastOf.get(id)
    return [{ id, branch, seen: last?.branch === branch ? last.seen : null, isPushed: source === 'branch' }]
  })
}

/**
 * Clears the branches' ETags if a branch was seen that the list does not have: only a full list shows whether it exists. Runs
 * after `saveState`, whose row lock makes a concurrent `markBranchSeen` wait.
 */
export async function dropBranchEtags(
  tx: Prisma.TransactionClient,
  repository_id: bigint,
  { work, branches }: { work: readonly BranchWork[]; branches: ReadonlySet<string> },
): Promise<void> {
  const seen = await tx.branchSighting.findMany({
    where: { repository_id, seen: true },
    select: { activity_id: true, branch: true },
  })
  const listed = new Map(work.filter(({ branch }) => branches.has(branch)).map(({ id, branch }) => [id, branch]))
  if (seen.every(({ activity_id, branch }) => listed.get(activity_id) === branch)) return
  await clearBranchEtags(tx, repository_id)
}

/** Makes the next pass request the full list of branches. */
export async function clearBranchEtags(tx: Prisma.TransactionClient, repository_id: bigint): Promise<void> {
  await tx.reconciliation.updateMany({ where: { repository_id }, data: { heads_etags: [] } })
}

const pausesFact = 'github_rests'
const Pauses = z.record(z.string(), z.number()).catch({})

/** Until when each owner's rate limit must be left alone, in ms since 1970, by the owner's name in lower case. */
export async function readPauses({ prisma }: Database): Promise<Map<string, number>> {
  const fact = await prisma.serviceFact.findUnique({ where: { name: pausesFact } })
  return new Map(Object.entries(Pauses.parse(fact?.value)))
}

export async function savePauses({ prisma }: Database, pauses: ReadonlyMap<string, number>, now: Date): Promise<void> {
  const current = [...pauses].filter(([, until]) => until > now.getTime())
  const fact = { value: Object.fromEntries(current), updated_at: now }
  await prisma.serviceFact.upsert({ where: { name: pausesFact }, create: { name: pausesFact, ...fact }, update: fact })
}
