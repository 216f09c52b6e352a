import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import { broadcast, type EmitEvent } from '../lib/service-events.ts'
import { logCalls } from './log-calls.ts'
import type { Metrics } from './metrics.ts'
import { startTraces } from './traces.ts'

export interface Telemetry {
  emit: EmitEvent
  /** Absent if no setting opens them. Nothing is counted then. */
  metrics: Metrics | undefined
  /** Sends the remaining spans. To call last. */
  stop(): Promise<void>
}

type TelemetryConfig = Pick<Config, 'metricsPort' | 'metricsToken' | 'otlpEndpoint'>

/** Starts the metrics, logs and traces that the settings enable. */
export async function startTelemetry(config: TelemetryConfig, log: Log): Promise<Telemetry> {
  const hasMetrics = config.metricsPort !== undefined || config.metricsToken !== undefined
  // Imported here, since prom-client is large.
  const metrics = hasMetrics ? (await import('./metrics.ts')).createMetrics() : undefined
  const traces = config.otlpEndpoint === undefined ? undefined : await startTraces(config.otlpEndpoint, log)
  const listeners = [logCalls(log), ...(metrics ? [metrics.emit] : []), ...(traces ? [traces.emit] : [])]
  return {
    emit: broadcast(listeners),
    metrics,
    async stop() {
      await traces?.stop()
    },
  }
}
