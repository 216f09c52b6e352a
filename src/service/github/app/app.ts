import { beginCheckRun, lookAgain, runAgain } from '../../check-runs/check-runs.ts'
import type { GithubParts } from '../../context.ts'
import type { Transaction } from '../../db/retry.ts'
import { archiveBranch, heartbeatBranch } from '../../records/events.ts'
import { settingsInForce } from '../../records/settings.ts'
import { followPull } from '../pulls/follow-pull.ts'
import { repositoryOf } from '../repositories.ts'
import { changedSettings } from '../settings-file.ts'
import { type EventRepository, rowOfEvent, timeOf } from './event-repository.ts'
import { handlingIn, type Listeners, type PayloadOf, type PullPayload, type PushPayload } from './handling.ts'
import { added, removed, suspended, uninstalled } from './installations.ts'

/**
 * The GitHub App: every event that it takes, and what it does. A delivery may come any number of times, in any order: ids and times
 * decide.
 */
export function headsup({ prisma, now, defaults, githubServerUrl, log }: GithubParts) {
  const handled = handlingIn({ prisma, log })

  /** The repository of an event, which is remembered as the event names it. */
  async function contextOf(tx: Transaction, payload: EventRepository) {
    const row = await rowOfEvent(tx, payload, now())
    const { values: settings } = settingsInForce(row.settings, defaults)
    return { repository: repositoryOf(row), settings, githubServerUrl, now: now() }
  }

  return (app: Listeners): void => {
    // The pull request as work of its own, the recorded work of its branch, and its check run follow it; a merge ends them.
    app.on(
      [
        'pull_request.opened',
        'pull_request.reopened',
        'pull_request.ready_for_review',
        'pull_request.converted_to_draft',
        'pull_request.edited',
        'pull_request.synchronize',
        'pull_request.closed',
      ],
      handled<PullPayload>(async (tx, payload) => {
        const { action, pull_request: pull } = payload
        const context = await contextOf(tx, payload)
        await followPull(tx, context, pull, {
          isOpened: action === 'opened' || action === 'reopened',
          isReopened: action === 'reopened',
          pushedAt: action === 'synchronize' ? timeOf(pull.updated_at) : null,
        })
        const key = { repository_id: context.repository.id, number: pull.number }
        const known = await tx.pullRequest.findUnique({ where: { repository_id_number: key } })
        // A late event may be of one that was closed since.
        if (known?.is_open) await beginCheckRun(tx, known, context.now)
      }),
    )

    // To the default branch: the settings file may be another one. To another branch: a heartbeat of the recorded work there.
    app.on(
      'push',
      handled<PushPayload>(async (tx, payload) => {
        const { repository, settings, now } = await contextOf(tx, payload)
        const branch = branchOf(payload.ref)
        if (branch === null || payload.deleted) return
        if (branch === repository.defaultBranch) return changedSettings(tx, repository, payload.commits)
        const pushedAt = timeOf(payload.repository.pushed_at)
        await heartbeatBranch(tx, { repository, branch, pushedAt, now }, settings)
      }),
    )

    // The recorded work on a deleted branch is archived, and what names it is looked at again.
    app.on(
      'delete',
      handled<PayloadOf<'delete'>>(async (tx, payload) => {
        if (payload.ref_type !== 'branch') return
        const { repository, now } = await contextOf(tx, payload)
        const branch = branchOf(`refs/heads/${payload.ref}`) ?? ''
        const pushedAt = timeOf(payload.repository.pushed_at)
        const ids = await archiveBranch(tx, { repository, branch, pushedAt, now })
        await lookAgain(tx, repository.id, { ids }, now)
      }),
    )

    // "Re-run": the check run is written again.
    app.on(
      'check_run.rerequested',
      handled<PayloadOf<'check_run.rerequested'>>(async (tx, payload) => {
        const { repository, now } = await contextOf(tx, payload)
        await runAgain(tx, repository.id, payload.check_run.head_sha, now)
      }),
    )

    // The names, the default branch and the visibility are remembered.
    app.on(
      [
        'repository.edited',
        'repository.renamed',
        'repository.transferred',
        'repository.privatized',
        'repository.publicized',
      ],
      handled<EventRepository>(async (tx, payload) => {
        await rowOfEvent(tx, payload, now())
      }),
    )

    // The App reads these repositories from now on, and may write check runs or not.
    app.on(
      ['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'],
      handled<PayloadOf<'installation.created'>>((tx, { installation, repositories = [] }) =>
        added(tx, installation, repositories, now()),
      ),
    )
    app.on(
      'installation_repositories.added',
      handled<PayloadOf<'installation_repositories.added'>>((tx, { installation, repositories_added }) =>
        added(tx, installation, repositories_added, now()),
      ),
    )

    // The App does not read them any more. Where it was suspended, what it has read stays.
    app.on(
      'installation.suspend',
      handled<PayloadOf<'installation.suspend'>>((tx, { installation }) => suspended(tx, installation.id)),
    )
    app.on(
      'installation.deleted',
      handled<PayloadOf<'installation.deleted'>>((tx, { installation }) => uninstalled(tx, installation.id, now())),
    )
    app.on(
      'installation_repositories.removed',
      handled<PayloadOf<'installation_repositories.removed'>>((tx, { repositories_removed }) =>
        removed(tx, repositories_removed, now()),
      ),
    )
    app.on(
      'repository.deleted',
      handled<EventRepository>((tx, { repository }) => removed(tx, [repository], now())),
    )
  }
}

function branchOf(ref: string): string | null {
  const [, branch = null] = /^refs\/heads\/(.+)$/s.exec(ref) ?? []
  return branch
}
