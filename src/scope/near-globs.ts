import type { Glob } from './glob.ts'
import { parsedGlob } from './glob-cache.ts'
import { afterWay, type Near, type Ways, waysOf } from './near.ts'

/** Texts of globs, with what they begin with, which is kept. The globs themselves may be large: their cache is bounded. */
export interface GlobTexts {
  readonly texts: readonly string[]
  readonly ways: Ways
}

export function globTexts(texts: readonly string[]): GlobTexts {
  return { texts, ways: waysOf(texts) }
}

/** The globs among these texts that could meet, read. What is no glob of the dialect is left out: what is stored was checked when it was sent. */
export function nearGlobs({ texts, ways }: GlobTexts, near: Near): Glob[] {
  const found: Glob[] = []
  for (let i = 0, at = 0; i < texts.length; i++, at = afterWay(ways, at)) {
    if (!near(ways, at)) continue
    const parsed = parsedGlob(texts[i] ?? '')
    if (parsed.ok) found.push(parsed.glob)
  }
  return found
}
