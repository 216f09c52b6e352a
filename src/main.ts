import { once } from 'node:events'
import { isatty } from 'node:tty'
import { config as readDotenv } from 'dotenv'
import { ConfigError, type Environ, loadConfig } from './config/config.ts'
import { StartError, StoppedError } from './errors.ts'
import { startupMessage } from './http/server/startup-message.ts'
import type { Log } from './lib/log.ts'
import { createLogger } from './lib/logger.ts'
import { startService } from './service.ts'

/** Reads `.env`, which never overrides the environment (docs/rules.md#environment-checks). */
function readEnvironment(): Environ {
  const environ: Record<string, string> = {}
  readDotenv({ processEnv: environ, quiet: true })
  return { ...environ, ...process.env }
}

async function main() {
  const { config, warnings } = loadConfig(readEnvironment())
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json')
  const log = createLogger({ level: config.logLevel, format })
  for (const warning of warnings) log.warn({}, warning)
  if (!config.webhookSecret) log.info({}, 'No GitHub App is configured: the API runs alone, without webhooks.')
  const leaving = takeSignals(log)
  const service = await startService(config, log, leaving).catch((error: unknown) => {
    // Ctrl-C reaches initdb too: that it failed is no fault then.
    leaving.throwIfAborted()
    throw error
  })
  if (!leaving.aborted) {
    log.info({ url: service.url }, 'listening')
    console.log(startupMessage(service.url, config.githubServerUrl))
    await once(leaving, 'abort')
  }
  await service.stop()
  leave()
}

/** Asked at the start: a terminal that is gone does not answer. */
const onTerminal = [0, 1, 2].some((stream) => isatty(stream))
let terminalIsGone = false

/** With 0; without the terminal by the signal that it is gone, as Node aborts where it can not give a terminal back. */
function leave(): never {
  if (terminalIsGone) {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }
  process.exit(0)
}

/** Aborted by the first signal. Taken before anything is started, so that none leaves an embedded PostgreSQL behind. */
function takeSignals(log: Log): AbortSignal {
  const leaving = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (leaving.signal.aborted) return
    log.info({ signal }, 'stopping')
    leaving.abort(new StoppedError())
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The terminal was closed.
  process.on('SIGHUP', (signal) => {
    terminalIsGone = onTerminal
    stop(signal)
  })
  return leaving.signal
}

/** Known faults say how to mend them, without a stack; everything else is ours to look into. */
function fail(error: unknown): never {
  if (error instanceof StoppedError) leave()
  if (error instanceof ConfigError) console.error(['Headsup can not start:', ...error.faults].join('\n  '))
  else if (error instanceof StartError) console.error(`Headsup can not start: ${error.message}`)
  else console.error('Headsup failed:', error)
  process.exit(1)
}

main().catch(fail)
