import type { Log } from '../lib/log.ts'

/**
 * Forwards deliveries from a smee channel to a local service that GitHub can't reach (`WEBHOOK_PROXY_URL`). The service
 * checks their signatures, so the channel need not be trusted. Never throws: the service also runs without the channel.
 * Returns a function that stops the forwarding.
 */
export async function startWebhookProxy({
  source,
  target,
  log,
}: {
  /** The URL of the channel. */
  source: string
  /** The URL of the service's webhook route. */
  target: string
  log: Log
}): Promise<() => Promise<void>> {
  // Imported lazily, since a production service has no channel.
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
