import type { Log } from '../../log.ts'
import { webhookPath } from './webhook-path.ts'

/**
 * Forwards deliveries from a channel of smee.io to a service that GitHub can not reach. Their signatures are checked here, so the
 * channel need not be trusted. The service runs without it, too. Returns what stops it.
 */
export async function startWebhookProxy(source: string, port: number, log: Log): Promise<() => Promise<void>> {
  // Nobody needs it in production.
  const { SmeeClient } = await import('smee-client')
  const logger = { info() {}, error: () => log.warn('the channel of webhooks does not answer') }
  const target = `http://127.0.0.1:${port}${webhookPath}`
  const client = new SmeeClient({ source, target, logger })
  // A failure is told by the logger, and it tries again by itself.
  client.start().catch(() => {})
  return () => client.stop()
}
