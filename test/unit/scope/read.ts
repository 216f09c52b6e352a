import { type Glob, parseGlob } from '../../../src/scope/glob.ts'
import { linesMeet } from '../../../src/scope/line.ts'
import { literalSegment } from '../../../src/scope/segment.ts'
import { segmentsMeet } from '../../../src/scope/segment-meet.ts'

/** The glob of this text, which has to be one. */
export function read(text: string): Glob {
  const parsed = parseGlob(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`)
  return parsed.glob
}

/** Whether the glob covers this one path, what is below a file left out. */
export function covers(text: string, path: string): boolean {
  const line = { items: path.split('/').map(literalSegment), gaps: [] }
  return read(text).paths.some((pattern) => linesMeet(pattern, line, (a, b) => segmentsMeet(a, b, { steps: 0 })))
}
