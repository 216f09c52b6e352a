import { pino } from 'pino'
import pretty from 'pino-pretty'
import { contextFields, currentContext } from './request-context.ts'

/**
 * Creates the log of the process: JSON lines, or text for `pretty`. A line has the id of its request or the name of its
 * job. The code logs no token, body or caller's data; `redact` also removes such fields if a library adds them.
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

/** How many bytes to buffer while standard output is blocked. Further lines are dropped. */
const bufferBytes = 1_048_576

/**
 * If standard output fails (closed terminal, full disk), the service continues without a log. The flush at exit is then
 * turned off, since pino would repeat it forever.
 */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: false, maxLength: bufferBytes })
  output.on('error', () => {
    output.flushSync = () => {}
  })
  return output
}
