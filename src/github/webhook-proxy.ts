import type { Log } from '../lib/log.ts'

/**
 * Forwards what arrives at a smee channel to the service, for local work that GitHub can't reach (`WEBHOOK_PROXY_URL`).
 * Deliveries are signed all the way, so the channel is trusted with nothing. Never throws: without the channel the service
 * runs all the same. Returns how to stop.
 */
export async function startWebhookProxy({
  source,
  target,
  log,
}: {
  /** The channel. */
  source: string
  /** Where the service takes webhooks. */
  target: string
  log: Log
}): Promise<() => Promise<void>> {
  // Loaded where it is used: in production there is no channel.
  const { SmeeClient } = await import('smee-client')
  const logger = {
    info: (message: unknown) => log.debug({}, `webhook proxy: ${String(message)}`),
    error: () => log.warn({}, 'webhook proxy: the channel can not be reached'),
  }
  const client = new SmeeClient({ source, target, logger, forward: true })
  client.start().then(
    () => log.info({}, 'webhook proxy: connected'),
    () => logger.error(),
  )
  return () => client.stop()
}
