import { pino } from 'pino'
import pretty from 'pino-pretty'
import { aboutErrand, currentErrand } from './errand.ts'

/**
 * The log of the process. JSON lines unless `pretty`; nothing that is logged holds a token, a body or a caller's data,
 * and the paths below are a second net, for fields that a library might add. A line that is written on an errand says whose.
 */
export function createLogger({ level, format }: { level: string; format: 'pretty' | 'json' }) {
  const options = {
    level,
    base: { service: 'headsup' },
    mixin: () => aboutErrand(currentErrand()),
    redact: {
      paths: ['token', '*.token', 'authorization', '*.authorization', 'headers', '*.headers', 'body', '*.body'],
      remove: true,
    },
  }
  if (format === 'json') return pino(options)
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname,service', sync: true }))
}
