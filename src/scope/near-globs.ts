import { type Glob, isPlain } from './glob.ts'
import { parsedGlob } from './glob-cache.ts'
import { type Near, type Ways, waysOf } from './near.ts'

/** Texts of globs, with what was found out of them, which is kept. */
export interface GlobTexts {
  readonly texts: readonly string[]
  readonly ways: Ways
  /** Those read so far. Plain ones alone: others may be large, and have a cache that is bounded. */
  readonly globs: (Glob | undefined)[]
}

export function globTexts(texts: readonly string[]): GlobTexts {
  return { texts, ways: waysOf(texts), globs: [] }
}

/** The globs among these texts that could meet, read. */
export function nearGlobs(known: GlobTexts, near: Near): Glob[] {
  const { texts, ways, globs } = known
  const found: Glob[] = []
  for (let i = 0, at = 0; i < texts.length; i++, at += 1 + (ways[at] ?? 0)) {
    if (!near(ways, at)) continue
    const glob = globs[i] ?? read(known, i)
    if (glob) found.push(glob)
  }
  return found
}

/** Undefined for what is no glob of the dialect: what is stored was checked when it was sent. */
function read({ texts, globs }: GlobTexts, i: number): Glob | undefined {
  const text = texts[i] ?? ''
  const parsed = parsedGlob(text)
  if (!parsed.ok) return undefined
  if (isPlain(text)) globs[i] = parsed.glob
  return parsed.glob
}
