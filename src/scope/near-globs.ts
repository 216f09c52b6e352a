import { type Glob, isPlain } from './glob.ts'
import { parsedGlob } from './glob-cache.ts'
import { type Near, type Ways, waysOf } from './near.ts'
import { remembered } from './remembered.ts'

/** What is known of a list of paths. */
interface Known {
  readonly ways: Ways
  /** Those read so far. Plain ones alone: others may be large, and have a cache that is bounded. */
  readonly globs: (Glob | undefined)[]
}

/** By the list itself: as long as somebody keeps that, and no longer. */
const lists = new WeakMap<readonly string[], Known>()

/** The globs among these texts that could meet, read. What is found out of a list is kept beside it. */
export function nearGlobs(texts: readonly string[], near: Near): Glob[] {
  const { ways, globs } = remembered(lists, texts, () => ({ ways: waysOf(texts), globs: [] }))
  const found: Glob[] = []
  for (let i = 0, at = 0; i < texts.length; i++, at += 1 + (ways[at] ?? 0)) {
    if (!near(ways, at)) continue
    const glob = globs[i] ?? read(texts, i, globs)
    if (glob) found.push(glob)
  }
  return found
}

/** Undefined for what is no glob of the dialect: what is stored was checked when it was sent. */
function read(texts: readonly string[], i: number, globs: Known['globs']): Glob | undefined {
  const text = texts[i] ?? ''
  const parsed = parsedGlob(text)
  if (!parsed.ok) return undefined
  if (isPlain(text)) globs[i] = parsed.glob
  return parsed.glob
}
