import { pino } from 'pino'
import pretty from 'pino-pretty'
import { contextFields, currentContext } from './request-context.ts'

/**
 * The log of the process. JSON lines unless `pretty`; nothing that is logged holds a token, a body or a caller's data,
 * and the paths below are a second net, for fields that a library might add. A line that is written on an errand says whose.
 */
export function createLogger({ level, format }: { level: string; format: 'pretty' | 'json' }) {
  const options = {
    level,
    base: { service: 'headsup' },
    mixin: () => contextFields(currentContext()),
    redact: {
      paths: ['token', '*.token', 'authorization', '*.authorization', 'headers', '*.headers', 'body', '*.body'],
      remove: true,
    },
  }
  if (format === 'json') return pino(options, standardOutput())
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname,service', sync: true }))
}

/** How much is kept of what standard output does not take now, in bytes; more is dropped. */
const keptBytes = 1_048_576

/**
 * Where it takes nothing more (the terminal is closed, the disk is full), the service goes on without its log. What is left
 * over is not tried at the end then: pino would try it for ever.
 */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: false, maxLength: keptBytes })
  output.on('error', () => {
    output.flushSync = () => {}
  })
  return output
}
