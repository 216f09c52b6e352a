import { once } from 'node:events'
import { isatty } from 'node:tty'
import { config as readDotenv } from 'dotenv'
import { StartError, StoppedError } from '../core/errors.ts'
import { startupMessage } from './api/http/server/startup-message.ts'
import { ConfigError, type Environ, loadConfig } from './config/config.ts'
import { createLogger } from './lib/create-logger.ts'
import type { Log } from './lib/log.ts'
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
  const stopSignal = listenForSignals(log)
  const service = await startService(config, log, stopSignal).catch((error: unknown) => {
    // Ctrl-C also stops initdb, so its failure is not the error to report.
    stopSignal.throwIfAborted()
    throw error
  })
  if (!stopSignal.aborted) {
    log.info({ url: service.url }, 'listening')
    console.log(startupMessage(service.url, config.githubServerUrl))
    await once(stopSignal, 'abort')
  }
  await service.stop()
  exit()
}

/** Read at the start, because a closed terminal does not respond. */
const onTerminal = [0, 1, 2].some((stream) => isatty(stream))
let terminalIsGone = false

/** Exits with 0. If the terminal was closed, by SIGHUP instead, because Node aborts when it cannot restore the terminal. */
function exit(): never {
  if (terminalIsGone) {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }
  process.exit(0)
}

/** Returns what the first signal aborts. Called before anything is started, so that no embedded PostgreSQL is left behind. */
function listenForSignals(log: Log): AbortSignal {
  const controller = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) return
    log.info({ signal }, 'stopping')
    controller.abort(new StoppedError())
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Sent when the terminal is closed.
  process.on('SIGHUP', (signal) => {
    terminalIsGone = onTerminal
    stop(signal)
  })
  return controller.signal
}

/** Prints what to change for a known error, and the whole error with its stack otherwise. */
function fail(error: unknown): never {
  if (error instanceof StoppedError) exit()
  if (error instanceof ConfigError) console.error(['Headsup can not start:', ...error.faults].join('\n  '))
  else if (error instanceof StartError) console.error(`Headsup can not start: ${error.message}`)
  else console.error('Headsup failed:', error)
  process.exit(1)
}

main().catch(fail)
