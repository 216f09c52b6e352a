// Runs built services for tests, in one process: the modules of a service take longer to load than a service to start.

import { StartError } from '../../dist/core/errors.js'
import { loadConfig } from '../../dist/service/config/config.js'
import { contextFields, currentContext } from '../../dist/service/lib/request-context.js'
import { startService } from '../../dist/service/service.js'

/** By their numbers. */
const services = new Map()

process.on('message', async ({ number, settings, end }) => {
  try {
    if (end) await services.get(number)?.stop()
    else services.set(number, await startService(loadConfig(settings).config, logOf(number)))
    process.send({ number, done: true, url: services.get(number).url })
  } catch (error) {
    process.send({ number, done: true, failure: error instanceof StartError ? error.message : String(error?.stack) })
  }
})
process.on('disconnect', () => process.exit())

function logOf(number) {
  const write = (fields, msg) => {
    const text = `${JSON.stringify({ ...contextFields(currentContext()), ...fields, msg })}\n`
    if (process.connected) process.send({ number, text })
  }
  return { debug: write, info: write, warn: write, error: write }
}
