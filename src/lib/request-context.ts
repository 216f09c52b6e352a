import { AsyncLocalStorage } from 'node:async_hooks'

/** What the process does, and for whom: a caller's request, or a turn of a job. */
export interface RequestContext {
  requestId?: string
  job?: string
}

// What it stores belongs to a chain of calls, not to the process: services beside one another don't meet in it.
const errands = new AsyncLocalStorage<RequestContext | undefined>()

/** Runs `work`, and whatever follows from it, as part of the errand. */
export function runWithContext<T>(errand: RequestContext, work: () => T): T {
  return errands.run(errand, work)
}

/** What the code that asks is part of. A question that several requests share is part of the first one's. */
export function currentContext(): RequestContext | undefined {
  return errands.getStore()
}

/** For who is called back by somebody else: the callback is part of the errand on which it was made. */
export function bindContext<Given extends unknown[]>(callback: (...given: Given) => void): (...given: Given) => void {
  // `AsyncResource.bind` does the same and takes a hundred times as long.
  const errand = currentContext()
  return (...given) => errands.run(errand, callback, ...given)
}

/** As every log line says it. */
export function contextFields(errand: RequestContext | undefined): { request_id?: string; job?: string } {
  if (errand?.requestId !== undefined) return { request_id: errand.requestId }
  return errand?.job === undefined ? {} : { job: errand.job }
}
