import { type Glob, parseGlob } from '../../../src/scope/glob.ts'

/** The glob of this text, which has to be one. */
export function read(text: string): Glob {
  const parsed = parseGlob(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`)
  return parsed.glob
}
