import type { Log } from '../../../src/service/lib/log.ts'

export interface Line {
  message: string
  fields: Record<string, unknown>
}

/** A log that keeps its lines in memory, with `level` among the fields. */
export function collectingLog(): Log & { lines: Line[] } {
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ message, fields: { level, ...fields } })
  }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
