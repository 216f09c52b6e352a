import { archiveMerged } from '../../activity/on-branch-event.ts'
import type { Database } from '../../db/database.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { renameRepository } from '../../repository/store.ts'
import type { AppRequest, GithubApp } from '../installation/app-client.ts'
import { pauseUntil } from './rate-limit-headroom.ts'
import { type RepositoryChanges, readRepository } from './read-repository.ts'
import { type BranchWork, vanished } from './reconcile-rules.ts'
import {
  archiveVanished,
  findTargets,
  readPauses,
  readState,
  savePauses,
  saveState,
  type Target,
} from './reconcile-store.ts'
import { dropBranchEtags, findBranchWork, saveSeenBranches } from './seen-branches-store.ts'
import { type AppResponse, SkipRepository } from './skip-repository.ts'

export interface ReconcileDeps {
  db: Database
  app: GithubApp
  log: Log
  now(): Date
  /** Ends the pass early: the next one begins with those that waited longest. */
  signal?: AbortSignal
}

export interface ReconcileCounts {
  repositories: number
  /** Activities that were archived, or are said to be merged. */
  merged: number
  branch_deleted: number
  /** Repositories that the App can't see, or is not installed on. */
  not_visible: number
  failed: number
  /** Repositories left for later, since a limit of GitHub's is near. */
  resting: number
  /** 1 where it ended early, or GitHub answered of no repository. */
  stopped: number
  /** 1 where another instance was at it. */
  busy: number
}

/** As long as the longest question may take, several times over. */
const holdMs = 60_000

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
  const done = await withLease(deps.db, { name: 'reconcile', holdMs }, async (lease) => {
    const rests = await readPauses(deps.db)
    for (const target of await findTargets(deps.db, deps.now())) {
      const outcome = await compare(deps, lease, rests, target)
      if (typeof outcome === 'string') {
        counts[outcome]++
        if (outcome === 'stopped') break
        continue
      }
      counts.repositories++
      counts.merged += outcome.merged
      counts.branch_deleted += outcome.branch_deleted
    }
    // As with a key that GitHub does not take.
    if (counts.failed > 0 && counts.repositories === 0) counts.stopped = 1
    return counts
  })
  return done ?? { ...counts, busy: 1 }
}

type Rests = Map<string, number>
type Applied = Pick<ReconcileCounts, 'merged' | 'branch_deleted'>

async function compare(
  deps: ReconcileDeps,
  lease: Lease,
  rests: Rests,
  target: Target,
): Promise<Applied | SkipRepository['reason']> {
  const { db, log, now } = deps
  const began = now()
  try {
    const kept = await readState(db, target.id)
    const work = await findBranchWork(db, target.id, began)
    const seen = await readRepository(askFor(deps, lease, rests, target), target, { kept, work })
    return await apply(deps, target, { seen, work, began })
  } catch (error) {
    const reason = error instanceof SkipRepository ? error.reason : 'failed'
    const fields = { repository_id: String(target.id), reason: error instanceof Error ? error.message : 'unknown' }
    log[reason === 'failed' ? 'warn' : 'debug'](fields, 'a repository is not compared with GitHub now')
    return reason
  }
}

/** Asks for one repository, unless its owner's limit needs rest, the lease is lost or the service stops. */
function askFor({ db, app, now, signal }: ReconcileDeps, lease: Lease, rests: Rests, { owner, name }: Target) {
  const whose = owner.toLowerCase()
  return async (question: AppRequest): Promise<AppResponse> => {
    if ((rests.get(whose) ?? 0) > now().getTime()) throw new SkipRepository('resting', 'a rate limit is near')
    if (!(await lease.renew())) throw new SkipRepository('stopped', 'the pass ends')
    const answer = await app.requestForRepository({ owner, repo: name }, { ...question, signal })
    if (answer.kind === 'not_installed') throw new SkipRepository('not_visible', 'the App is not installed')
    if (signal?.aborted) throw new SkipRepository('stopped', 'the pass ends')
    if (answer.kind === 'failure') throw new SkipRepository('failed', answer.reason)
    const rest = pauseUntil(answer, now())
    if (rest !== null) {
      rests.set(whose, rest.getTime())
      await savePauses(db, rests, now())
      if (answer.status >= 400) throw new SkipRepository('resting', `status ${answer.status}`)
    }
    if (answer.status >= 500 || answer.status === 401) throw new SkipRepository('failed', `status ${answer.status}`)
    return answer
  }
}

interface Found {
  seen: RepositoryChanges
  work: readonly BranchWork[]
  /** When the pass began to look: work that came after it is not spoken of. */
  began: Date
}

/** A first pass may have found many merges. */
const transaction = { maxWait: 5_000, timeout: 30_000 }

/** Writes what was found in one transaction: merges first, so that work whose branch went with its merge is merged. */
function apply({ db, now }: ReconcileDeps, target: Target, { seen, work, began }: Found): Promise<Applied> {
  const { repository, merges, branches, etags } = seen
  return db.prisma.$transaction(async (tx) => {
    const applied = { merged: 0, branch_deleted: 0 }
    for (const merge of merges) applied.merged += (await archiveMerged(tx, merge, now())).merged
    if (branches !== null) {
      const gone = vanished(work, branches)
      applied.branch_deleted = await archiveVanished(tx, { repositoryId: target.id, gone, now: now() })
      await saveSeenBranches(tx, target.id, { work, branches, now: now() })
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
