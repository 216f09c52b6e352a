import { tolerance } from '../../activity/events/event-time.ts'
import { archiveMerged } from '../../activity/events/on-branch-event.ts'
import type { Database } from '../../db/database.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { deletePushedBranch } from '../../observed/branches/save-branch.ts'
import { renameRepository } from '../../repository/store.ts'
import type { AppRequest, GithubApp } from '../installation/app-client.ts'
import { pauseUntil } from './rate-limit-headroom.ts'
import { type RepositoryChanges, readRepository } from './read-repository.ts'
import { archiveVanished, findTargets, type Target } from './reconcile.sql.ts'
import { type BranchWork, vanished } from './reconcile-rules.ts'
import { dropBranchEtags, findBranchWork, readPauses, readState, savePauses, saveState } from './reconcile-store.ts'
import { forgetEndedWork, saveSeenBranches } from './seen-branches.sql.ts'
import { type AppResponse, SkipRepository } from './skip-repository.ts'

export interface ReconcileDeps {
  db: Database
  app: GithubApp
  log: Log
  now(): Date
  /** Ends the pass early. The next one begins with the repositories that waited longest. */
  signal?: AbortSignal
}

export interface ReconcileCounts {
  repositories: number
  /** Activities that were archived as merged, or marked as merged after they had ended. */
  merged: number
  branch_deleted: number
  /** Repositories that the App cannot see, or is not installed on. */
  not_visible: number
  failed: number
  /** Repositories left for later because a rate limit is almost spent. */
  resting: number
  /** 1 if the pass ended early, or failed for every repository. */
  stopped: number
  /** 1 if another instance is running it. */
  busy: number
}

/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 60_000

/**
 * Compares the repositories that have live activities with GitHub (docs/rules.md#reconciliation). Finds merged pull
 * requests and deleted branches that no webhook reported. A repository that fails does not stop the others.
 */
export async function reconcile(deps: ReconcileDeps): Promise<ReconcileCounts> {
  const counts = {
    repositories: 0,
    merged: 0,
    branch_deleted: 0,
    not_visible: 0,
    failed: 0,
    resting: 0,
    stopped: 0,
    busy: 0,
  }
  const done = await withLease(deps.db, { name: 'reconcile', holdMs: leaseMs }, async (lease) => {
    const pauses = await readPauses(deps.db)
    for (const target of await findTargets(deps.db, deps.now())) {
      const outcome = await compare(deps, lease, pauses, target)
      if (typeof outcome === 'string') {
        counts[outcome]++
        if (outcome === 'stopped') break
        continue
      }
      counts.repositories++
      counts.merged += outcome.merged
      counts.branch_deleted += outcome.branch_deleted
    }
    // GitHub may reject the App's key.
    if (counts.failed > 0 && counts.repositories === 0) counts.stopped = 1
    return counts
  })
  return done ?? { ...counts, busy: 1 }
}

type Pauses = Map<string, number>
type Applied = Pick<ReconcileCounts, 'merged' | 'branch_deleted'>

async function compare(
  deps: ReconcileDeps,
  lease: Lease,
  pauses: Pauses,
  target: Target,
): Promise<Applied | SkipRepository['reason']> {
  const { db, log, now } = deps
  const began = now()
  try {
    const saved = await readState(db, target.id)
    const work = await findBranchWork(db, target.id, began)
    const changes = await readRepository(createRequest(deps, lease, pauses, target), target, { saved, work })
    return await apply(deps, target, { changes, work, began })
  } catch (error) {
    const reason = error instanceof SkipRepository ? error.reason : 'failed'
    const fields = { repository_id: String(target.id), reason: error instanceof Error ? error.message : 'unknown' }
    log[reason === 'failed' ? 'warn' : 'debug'](fields, 'a repository is not compared with GitHub now')
    return reason
  }
}

/**
 * Sends requests for one repository. Throws `SkipRepository` if its owner's rate limit is almost spent, the lease is lost, the
 * service stops, or there is no usable response.
 */
function createRequest({ db, app, now, signal }: ReconcileDeps, lease: Lease, pauses: Pauses, { owner, name }: Target) {
  const ownerKey = owner.toLowerCase()
  return async (request: AppRequest): Promise<AppResponse> => {
    if ((pauses.get(ownerKey) ?? 0) > now().getTime())
      throw new SkipRepository('resting', 'a rate limit is almost spent')
    if (!(await lease.renew())) throw new SkipRepository('stopped', 'the pass ends')
    const response = await app.requestForRepository({ owner, repo: name }, { ...request, signal })
    if (response.kind === 'not_installed') throw new SkipRepository('not_visible', 'the App is not installed')
    if (signal?.aborted) throw new SkipRepository('stopped', 'the pass ends')
    if (response.kind === 'failure') throw new SkipRepository('failed', response.reason)
    const until = pauseUntil(response, now())
    if (until !== null) {
      pauses.set(ownerKey, until.getTime())
      await savePauses(db, pauses, now())
      if (response.status >= 400) throw new SkipRepository('resting', `status ${response.status}`)
    }
    if (response.status >= 500 || response.status === 401)
      throw new SkipRepository('failed', `status ${response.status}`)
    return response
  }
}

/**
 * Ends the pushed branches that no longer exist, but none that was pushed since the pass began. Each has a transaction of its
 * own, since the row of a branch is locked before activities are. They come first: a pass that fails later finds them again.
 */
async function endPushed(
  { db, now }: Pick<ReconcileDeps, 'db' | 'now'>,
  repositoryId: bigint,
  { gone, began }: { gone: readonly BranchWork[]; began: Date },
): Promise<number> {
  const deletedAt = new Date(began.getTime() - tolerance)
  let ended = 0
  for (const { branch, isPushed } of gone) {
    if (isPushed)
      ended += await db.transaction((tx) => deletePushedBranch(tx, repositoryId, { branch, deletedAt }, now()))
  }
  return ended
}

interface Comparison {
  changes: RepositoryChanges
  work: readonly BranchWork[]
  /** When the requests began. They say nothing about later work. */
  began: Date
}

/** In ms. The first pass may find many merges. */
const transaction = { maxWait: 5_000, timeout: 30_000 }

/** Saves a comparison. Merges come first, so that work whose merged branch was deleted is merged. */
async function apply(
  { db, now }: ReconcileDeps,
  target: Target,
  { changes, work, began }: Comparison,
): Promise<Applied> {
  const { repository, merges, branches, etags } = changes
  const gone = branches === null ? [] : vanished(work, branches)
  const ended = await endPushed({ db, now }, target.id, { gone, began })
  return db.transaction(async (tx) => {
    const applied = { merged: 0, branch_deleted: ended }
    for (const merge of merges) applied.merged += (await archiveMerged(tx, merge, now())).merged
    if (branches !== null) {
      const recorded = gone.filter(({ isPushed }) => !isPushed)
      applied.branch_deleted += await archiveVanished(tx, { repositoryId: target.id, gone: recorded, now: now() })
      await saveSeenBranches(tx, target.id, { work, branches })
      await forgetEndedWork(tx, target.id, now())
    }
    if (repository.owner !== target.owner || repository.name !== target.name) {
      await renameRepository(tx, { id: target.id, ...repository }, began)
    }
    await saveState(tx, target.id, {
      full_name: `${repository.owner}/${repository.name}`,
      default_branch: repository.defaultBranch,
      ...etags,
      reconciled_at: began,
    })
    if (branches !== null) await dropBranchEtags(tx, target.id, { work, branches })
    return applied
  }, transaction)
}
