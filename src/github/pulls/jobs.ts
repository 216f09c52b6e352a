import type { ReportDeps } from '../reports/report-deps.ts'
import { createReportQueue } from '../reports/report-queue.ts'
import type { PullRequestObserver } from '../webhooks/webhook-handler.ts'
import { createRateBudget } from './app-request.ts'
import { createListQueue, type ListQueueDeps } from './list-queue.ts'
import { createReadingQueue } from './reading-queue.ts'

/** How often a job runs that no webhook of this process wakes, in ms. */
const lookEveryMs = { files: 10_000, lists: 60_000, reports: 10_000 }

export type PullRequestJobsOptions = Omit<ListQueueDeps & ReportDeps, 'budget' | 'writeBudget' | 'onUnread'>

/** The background jobs that read pull requests with the App and write check runs on them, and what wakes them. */
export function createPullRequestJobs(options: PullRequestJobsOptions) {
  const deps = { ...options, budget: createRateBudget() }
  const files = createReadingQueue(deps)
  const lists = createListQueue({ ...deps, onUnread: files.wake })
  const reports = createReportQueue({ ...deps, writeBudget: createRateBudget() })
  const observer: PullRequestObserver = {
    readFiles: files.wake,
    listRepositories: lists.wake,
    writeReports: reports.wake,
  }
  async function readFiles() {
    const counts = await files.run()
    if (counts.read > 0) reports.wake()
    return counts
  }
  return {
    observer,
    jobs: [
      { ...lists, name: 'list_pull_requests', everyMs: Math.min(lookEveryMs.lists, options.reconcileIntervalMs) },
      { ...files, run: readFiles, name: 'read_pull_requests', everyMs: lookEveryMs.files },
      { ...reports, name: 'write_reports', everyMs: lookEveryMs.reports },
    ],
  }
}
