import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { type Observe, tellAll } from '../observed.ts'
import { logCalls } from './log-calls.ts'
import { createMetrics, type Metrics } from './metrics.ts'

export interface Telemetry {
  observe: Observe
  /** Absent where nobody may ask for them: then nothing is counted either. */
  metrics: Metrics | undefined
}

/** Whatever watches the service, by its settings. */
export function startTelemetry(config: Pick<Config, 'metricsPort' | 'metricsToken'>, log: Log): Telemetry {
  const isAsked = config.metricsPort !== undefined || config.metricsToken !== undefined
  const metrics = isAsked ? createMetrics() : undefined
  const observers = [logCalls(log), ...(metrics ? [metrics.observe] : [])]
  return { observe: tellAll(observers), metrics }
}
