import { AsyncLocalStorage } from 'node:async_hooks'

/** What the current code works for: a caller's request, or a run of a job. */
export interface RequestContext {
  requestId?: string
  job?: string
  /** Whose share of the database connections it uses. Absent: the share of webhooks and jobs. */
  repositoryId?: bigint
}

// Global, yet each value belongs to one chain of calls: several services in one process do not mix.
const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** Runs `work` and everything that it starts in this context. */
export function runWithContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work)
}

/** The context of the current code. Work that several requests share has the context of the first one. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore()
}

/** From now on the request uses the repository's share of the database connections. */
export function assignRepository(repositoryId: bigint): void {
  const context = currentContext()
  if (context) context.repositoryId = repositoryId
}

/** The context as fields of a log line. */
export function contextFields(context: RequestContext | undefined): { request_id?: string; job?: string } {
  if (context?.requestId !== undefined) return { request_id: context.requestId }
  return context?.job === undefined ? {} : { job: context.job }
}
