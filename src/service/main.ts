import { config as readDotenv } from 'dotenv'
import { StartError } from '../core/errors.ts'
import { type Config, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startService } from './service.ts'

/** Balancers and supervisors kill what takes longer. */
const stopMs = 20_000

/** `.env` never overrides the environment. */
function readEnvironment(): Record<string, string | undefined> {
  const fromFile: Record<string, string> = {}
  readDotenv({ processEnv: fromFile, quiet: true })
  return { ...fromFile, ...process.env }
}

async function main(): Promise<void> {
  const { config, unknown } = readConfig(readEnvironment())
  const log = createLog(config)
  for (const variable of unknown) log.warn({ variable }, 'unknown variable')
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    // Told twice, or by a terminal that closes, it stops all the same.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, resolve)
    const { ppid } = process
    // `npm start` passes a signal to its shell alone, and some shells leave behind what they run.
    if (process.env.npm_lifecycle_event === 'start')
      setInterval(() => process.ppid !== ppid && resolve('SIGTERM'), 1_000).unref()
  })
  const service = await startService(config, log)
  const url = addressOf(config, service.port)
  log.info({ url, port: service.port, metrics_port: service.metricsPort }, 'listening')
  // Elsewhere every line is JSON, and `listening` has the address.
  if (config.isOnTerminal) console.log(nextSteps(url))
  log.info({ signal: await stopped }, 'stopping')
  setTimeout(() => process.exit(1), stopMs).unref()
  await service.stop()
  process.exit(0)
}

/** Where people reach it: never what a request says. */
function addressOf({ publicUrl, host }: Config, port: number): string {
  if (publicUrl !== null) return publicUrl
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function nextSteps(url: string): string {
  return `
  For the command line:
    git config --global headsup.url ${url}
  By hand:
    curl -H "Authorization: Bearer $(gh auth token)" ${url}/api/v1/repos/OWNER/REPO/activity
`
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? `Headsup can not start:\n${error.message}` : error)
  process.exit(1)
})
