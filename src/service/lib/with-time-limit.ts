/**
 * Runs work with a signal that aborts with `reason` after `ms`, or with `outer`. The signal does not end the work by itself.
 *
 * `AbortSignal.any` does not do this: it holds its sources weakly, so Node.js 20 may free an `AbortSignal.timeout` before
 * it aborts.
 */
export async function withTimeLimit<Result>(
  { ms, reason, outer }: { ms: number; reason: string; outer?: AbortSignal | null | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException(reason, 'TimeoutError')), ms)
  const follow = () => limit.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', follow)
  }
}
