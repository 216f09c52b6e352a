import { createFilesQueue } from './pulls/files-queue.ts'
import { createSyncQueue, type SyncQueueDeps } from './pulls/sync-queue.ts'
import { createRateLimits } from './rate-limits.ts'
import type { ReportDeps } from './reports/report-deps.ts'
import { createReportQueue } from './reports/report-queue.ts'
import type { PullRequestObserver } from './webhooks/webhook-handler.ts'

/** Of how many owners the rate limits are remembered. */
const mostOwners = 10_000
/** How often a job runs that no webhook of this process wakes, in ms. */
const lookEveryMs = { files: 10_000, lists: 60_000, reports: 10_000 }

export type PullRequestJobsOptions = Omit<
  SyncQueueDeps & ReportDeps,
  'rateLimits' | 'writeLimits' | 'onUnread' | 'onRead'
>

/** The background jobs that compare repositories with GitHub, read pull requests and write check runs, and what wakes them. */
export function createPullRequestJobs(options: PullRequestJobsOptions) {
  const newLimits = () => createRateLimits({ entries: mostOwners, now: () => options.now().getTime() })
  const deps = { ...options, rateLimits: newLimits() }
  const files = createFilesQueue({ ...deps, onRead: () => reports.wake() })
  const lists = createSyncQueue({ ...deps, onUnread: files.wake })
  const reports = createReportQueue({ ...deps, writeLimits: newLimits() })
  const observer: PullRequestObserver = {
    readFiles: files.wake,
    listRepositories: lists.wake,
    writeReports: reports.wake,
  }
  return {
    observer,
    jobs: [
      { ...lists, name: 'sync', everyMs: Math.min(lookEveryMs.lists, options.reconcileIntervalMs) },
      { ...files, name: 'read_pull_requests', everyMs: lookEveryMs.files },
      { ...reports, name: 'write_reports', everyMs: lookEveryMs.reports },
    ],
  }
}
