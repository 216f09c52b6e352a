import type { Log } from '../lib/log.ts'

/** How often the warning is repeated, in milliseconds. Anybody can send a wrong signature. */
const repeatMs = 60_000

/** Logs that signatures do not match, at most once a minute, with how many did not since the line before. */
export function createSignatureLog(log: Log, now: () => Date): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let deliveries = 0
  return () => {
    deliveries++
    const time = now().getTime()
    if (time - loggedAt < repeatMs) return
    log.warn({ deliveries }, 'the signature of a webhook does not match: is WEBHOOK_SECRET that of the GitHub App?')
    loggedAt = time
    deliveries = 0
  }
}
