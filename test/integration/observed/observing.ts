import { createGlobCache } from '../../../src/core/scope/glob/glob-cache.ts'
import type { Activity } from '../../../src/service/db/generated/client.ts'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { createPullRequestJobs } from '../../../src/service/github/pull-request-jobs.ts'
import type { PullRequestObserver } from '../../../src/service/github/webhooks/webhook-handler.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import { builtInSettings, type Settings } from '../../../src/service/records/settings/schema.ts'
import { day, minute } from '../../support/clock.ts'
import { silentLog } from '../../support/log.ts'
import type { TestRepository, TestService } from '../../support/service.ts'
import { appOf } from '../webhooks/recovery.ts'

export interface ObservingOptions {
  app?: GithubApp
  log?: Log
  settings?: Partial<Settings>
  signal?: AbortSignal
  /** By default an hour. 0: every repository is due whenever the job runs. */
  reconcileIntervalMs?: number
  /** Whether check runs are only counted. */
  shadow?: boolean
  /** Waits between two writes, by default on the clock of the test. */
  pause?(ms: number): Promise<void>
}

/** The jobs of one instance that read pull requests. They run when the test says so. */
export function startObserving(service: TestService, options: ObservingOptions = {}) {
  const {
    app = appOf(service),
    log = silentLog,
    settings = {},
    signal,
    shadow = false,
    reconcileIntervalMs = 60 * minute,
  } = options
  const { db, clock, github } = service
  const { pause = async (ms) => clock.advance(ms) } = options
  const { jobs, observer } = createPullRequestJobs({
    ...{ db, app, log, signal, now: clock.now, shadow, appId: github.data.app.id, retentionMs: 30 * day },
    publicUrl: 'https://headsup.example',
    readGlob: createGlobCache(),
    pause,
    serverUrl: 'https://github.com',
    reconcileIntervalMs,
    settingsOf: async () => ({ settings: { ...builtInSettings, ...settings } }),
  })
  const [lists, files, reports] = jobs
  const list = () => lists?.run() ?? Promise.reject()
  const read = () => files?.run() ?? Promise.reject()
  let isWoken = false
  reports?.onWake(() => {
    isWoken = true
  })
  /** Until nothing is left to be looked at. Returns the sums of all runs. */
  async function report() {
    const sums: Record<string, number> = {}
    do {
      isWoken = false
      const counts = Object.entries((await reports?.run()) ?? {})
      for (const [what, count] of counts) sums[what] = (sums[what] ?? 0) + count
    } while (isWoken)
    return sums
  }
  return {
    observer,
    /** Finds repositories and compares them with GitHub. */
    list,
    /** Reads the files of unread pull requests. */
    read,
    /** Looks at the check runs of marked pull requests. */
    report,
    /** Whether the job that writes check runs was woken since its last run began. */
    areReportsWoken: () => isWoken,
    async all() {
      await list()
      await read()
    },
  }
}

/** The counts of the job that compares repositories with GitHub, where it has nothing to do. */
export const nothingSynced = {
  ...{ observed: 0, ended: 0, merged: 0, unread: 0, branch_deleted: 0, repositories: 0 },
  ...{ failed: 0, paused: 0, not_visible: 0, not_installed: 0, stopped: 0 },
}

/**
 * The job that compares repositories with GitHub, of one instance. Every repository is due at each pass. By default nothing is
 * observed, so that it only looks after recorded work.
 */
export function startSyncing(service: TestService, options: ObservingOptions = {}) {
  const own = options.app ?? appOf(service)
  let app = own
  const { list, observer } = startObserving(service, {
    settings: { enabled: false },
    reconcileIntervalMs: 0,
    ...options,
    app: { ...own, requestForRepository: (...request) => app.requestForRepository(...request) },
  })
  return {
    app: own,
    /** One run of the job, by default as its own App. */
    pass(as = own) {
      app = as
      return list()
    },
    /** The next pass looks for new repositories first. */
    discover: () => observer.listRepositories({ discover: true }),
  }
}

/** What webhooks woke. */
export function countingObserver(): PullRequestObserver & { files: number; lists: number; reports: number } {
  return {
    files: 0,
    lists: 0,
    reports: 0,
    writeReports() {
      this.reports++
    },
    readFiles() {
      this.files++
    },
    listRepositories() {
      this.lists++
    },
  }
}

/** The observed activities of a repository, the oldest first. */
export function observedIn({ db }: TestService, { id }: TestRepository): Promise<Activity[]> {
  return db.prisma.activity.findMany({
    where: { repository_id: id, source: 'pull_request' },
    orderBy: { id: 'asc' },
  })
}

export function pullRequestRow({ db }: TestService, { id }: TestRepository, number: number) {
  return db.prisma.pullRequest.findUnique({ where: { repository_id_number: { repository_id: id, number } } })
}

export function unreadIn({ db }: TestService, { id }: TestRepository): Promise<number> {
  return db.prisma.pullRequest.count({ where: { repository_id: id, state: 'open', unread_since: { not: null } } })
}

export function stateOf({ db }: TestService, { id }: TestRepository) {
  return db.prisma.observedRepository.findUnique({ where: { repository_id: id } })
}

/** As if the settings file of the repository had been looked for and not found. */
export async function saveSettingsAsRead({ db, clock }: TestService, { id, owner }: TestRepository): Promise<void> {
  await db.prisma.repositorySettings.create({
    data: { repository_id: id, owner, problems: [], checked_at: clock.now() },
  })
}
