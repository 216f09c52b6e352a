import type { EmitterWebhookEvent, EmitterWebhookEventName } from '@octokit/webhooks'
import { beginCheckRun, lookAgain, runAgain } from '../../checks/check-runs.ts'
import type { Prisma, PrismaClient } from '../../db/generated/client.ts'
import { inTransaction } from '../../db/retry.ts'
import { type Log, safely } from '../../log.ts'
import { webhookDeliveries } from '../../metrics.ts'
import { deletedBranch, pushedBranch } from '../../records/events.ts'
import { type Settings, settingsInForce } from '../../records/settings.ts'
import { followPull } from '../pulls/follow-pull.ts'
import type { GithubPull } from '../pulls/pull-facts.ts'
import { changedSettings } from '../settings-file.ts'
import { type EventRepository, met, repositoryOf, timeOf } from './event-repository.ts'
import { added, removed, suspended, uninstalled } from './installations.ts'

export interface AppParts {
  prisma: PrismaClient
  now(): Date
  defaults: Settings
  githubServerUrl: string
  log: Log
}

type Transaction = Prisma.TransactionClient
/** Of each action of a pull request, as far as it is read. */
interface PullEvent extends EventRepository {
  action: string
  pull_request: GithubPull
}
interface Push extends EventRepository {
  ref: string
  deleted: boolean
  commits: { added?: string[]; modified?: string[]; removed?: string[] }[]
}
type PayloadOf<Name extends EmitterWebhookEventName> = EmitterWebhookEvent<Name>['payload']
type Event = { name: string; payload: object }

/** What registers listeners: Probot. */
interface Listeners {
  on(names: EmitterWebhookEventName | EmitterWebhookEventName[], listener: (event: Event) => Promise<void>): void
}

/**
 * The GitHub App: every event, and what it does. A delivery may come any number of times, in any order: ids and times decide. Each
 * is one transaction, and its answer comes after the commit.
 */
export function headsup({ prisma, now, defaults, githubServerUrl, log }: AppParts) {
  /** A failure is told without its words, which may quote the payload: the answer stands in GitHub's list of deliveries. */
  function once<Payload extends object>(handle: (tx: Transaction, payload: Payload) => Promise<void>) {
    return async ({ name, payload }: Event): Promise<void> => {
      try {
        // It is signed by GitHub, so it has the shape of its event.
        await inTransaction(prisma, (tx) => handle(tx, payload as Payload))
        webhookDeliveries.inc({ event: name, outcome: 'handled' })
      } catch (error) {
        webhookDeliveries.inc({ event: name, outcome: 'failed' })
        log.error({ event: name, action: Reflect.get(payload, 'action'), ...safely(error) }, 'a delivery failed')
        throw new Error('the delivery could not be handled')
      }
    }
  }

  async function observing(tx: Transaction, payload: EventRepository) {
    const row = await met(tx, payload, now())
    return {
      repository: repositoryOf(row),
      settings: settingsInForce(row.settings, defaults).values,
      githubServerUrl,
      now: now(),
    }
  }

  return (app: Listeners): void => {
    // Its observed record, the recorded work of its branch and its check run follow the pull request.
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
      once<PullEvent>(async (tx, payload) => {
        const { action, pull_request: pull } = payload
        const context = await observing(tx, payload)
        await followPull(tx, context, pull, {
          isOpened: action === 'opened' || action === 'reopened',
          isReopened: action === 'reopened',
          pushedAt: action === 'synchronize' ? timeOf(pull.updated_at) : null,
        })
        const key = { repository_id: context.repository.id, number: pull.number }
        const known = await tx.pullRequest.findUnique({ where: { repository_id_number: key } })
        // A late event may be of one that was closed since.
        if (!known?.is_open) return
        if (action === 'edited' || action === 'converted_to_draft')
          return lookAgain(tx, key.repository_id, { numbers: [pull.number] }, context.now)
        await beginCheckRun(tx, known, context.now)
      }),
    )
    // A push is a sign of life, and may bring another settings file.
    app.on(
      'push',
      once<Push>(async (tx, payload) => {
        const context = await observing(tx, payload)
        const branch = branchOf(payload.ref)
        if (branch === null || payload.deleted) return
        const { repository } = context
        if (branch === repository.defaultBranch) return changedSettings(tx, repository, payload.commits)
        const pushedAt = timeOf(payload.repository.pushed_at)
        await pushedBranch(tx, { repository, branch, pushedAt, now: context.now }, context.settings)
      }),
    )
    // The branch of recorded work is gone.
    app.on(
      'delete',
      once<PayloadOf<'delete'>>(async (tx, payload) => {
        if (payload.ref_type !== 'branch') return
        const { repository, now } = await observing(tx, payload)
        const branch = branchOf(`refs/heads/${payload.ref}`) ?? ''
        const pushedAt = timeOf(payload.repository.pushed_at)
        const ids = await deletedBranch(tx, { repository, branch, pushedAt, now })
        await lookAgain(tx, repository.id, { ids }, now)
      }),
    )
    app.on(
      'check_run.rerequested',
      once<PayloadOf<'check_run.rerequested'>>(async (tx, payload) => {
        const { repository, now } = await observing(tx, payload)
        await runAgain(tx, repository.id, payload.check_run.head_sha, now)
      }),
    )
    // Names, default branch and visibility.
    app.on(
      [
        'repository.edited',
        'repository.renamed',
        'repository.transferred',
        'repository.privatized',
        'repository.publicized',
      ],
      once<EventRepository>(async (tx, payload) => void (await met(tx, payload, now()))),
    )
    app.on(
      'repository.deleted',
      once<EventRepository>((tx, { repository }) => removed(tx, [repository], now())),
    )
    // Which repositories the App reads.
    app.on(
      ['installation.created', 'installation.unsuspend', 'installation.new_permissions_accepted'],
      once<PayloadOf<'installation.created'>>((tx, { installation, repositories = [] }) =>
        added(tx, installation, repositories, now()),
      ),
    )
    app.on(
      'installation.suspend',
      once<PayloadOf<'installation.suspend'>>((tx, { installation }) => suspended(tx, installation.id)),
    )
    app.on(
      'installation.deleted',
      once<PayloadOf<'installation.deleted'>>((tx, { installation }) => uninstalled(tx, installation.id, now())),
    )
    app.on(
      'installation_repositories.added',
      once<PayloadOf<'installation_repositories.added'>>((tx, { installation, repositories_added }) =>
        added(tx, installation, repositories_added, now()),
      ),
    )
    app.on(
      'installation_repositories.removed',
      once<PayloadOf<'installation_repositories.removed'>>((tx, { repositories_removed }) =>
        removed(tx, repositories_removed, now()),
      ),
    )
  }
}

function branchOf(ref: string): string | null {
  const [, branch = null] = /^refs\/heads\/(.+)$/s.exec(ref) ?? []
  return branch
}
