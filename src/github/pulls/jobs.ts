import type { PullRequestObserver } from '../webhooks/webhook-handler.ts'
import { createRateBudget } from './app-request.ts'
import { createListQueue, type ListQueueDeps } from './list-queue.ts'
import { createReadingQueue } from './reading-queue.ts'

/** How often a job looks for what no webhook of this process woke it for, in ms. */
const lookEveryMs = { files: 10_000, lists: 60_000 }

/** The background jobs that read pull requests with the App, and what wakes them. */
export function createPullRequestJobs(options: Omit<ListQueueDeps, 'budget' | 'onUnread'>) {
  const deps = { ...options, budget: createRateBudget() }
  const files = createReadingQueue(deps)
  const lists = createListQueue({ ...deps, onUnread: files.wake })
  const observer: PullRequestObserver = { readFiles: files.wake, listRepositories: lists.wake }
  return {
    observer,
    jobs: [
      { ...lists, name: 'list_pull_requests', everyMs: Math.min(lookEveryMs.lists, options.reconcileIntervalMs) },
      { ...files, name: 'read_pull_requests', everyMs: lookEveryMs.files },
    ],
  }
}
