import type { Config } from '../config.ts'
import { broadcast, type EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { logCalls } from './log-calls.ts'
import type { Metrics } from './metrics.ts'
import { startTraces } from './traces.ts'

export interface Telemetry {
  observe: EmitEvent
  /** Absent where nobody may ask for them: then nothing is counted either. */
  metrics: Metrics | undefined
  /** Once nothing happens any more. */
  stop(): Promise<void>
}

type Watching = Pick<Config, 'metricsPort' | 'metricsToken' | 'otlpEndpoint'>

/** Whatever watches the service, by its settings. */
export async function startTelemetry(config: Watching, log: Log): Promise<Telemetry> {
  const isAsked = config.metricsPort !== undefined || config.metricsToken !== undefined
  // Its library is large, and loads a part of OpenTelemetry's.
  const metrics = isAsked ? (await import('./metrics.ts')).createMetrics() : undefined
  const traces = config.otlpEndpoint === undefined ? undefined : await startTraces(config.otlpEndpoint, log)
  const observers = [logCalls(log), ...(metrics ? [metrics.observe] : []), ...(traces ? [traces.observe] : [])]
  return {
    observe: broadcast(observers),
    metrics,
    async stop() {
      await traces?.stop()
    },
  }
}
