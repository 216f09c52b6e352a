import { changesLimits } from '../limits.ts'
import type { Span } from '../spans.ts'
import { type Hunk, moveBack } from './hunks.ts'
import { linesOf, withPlainEnds } from './text-lines.ts'

/** One text for another. Without `all`, the old text must occur once. */
export interface Replacement {
  oldText: string
  newText: string
  all: boolean
}

interface Step {
  text: string
  /** Undefined where nothing changes. */
  hunk: Hunk | undefined
}

/** The lines that replacements change, each made in the text that those before it leave; null where one does not occur. */
export function locateReplacements(replacements: readonly Replacement[], original: string): Span[] | null {
  const hunks = applyReplacements(replacements, original)?.hunks
  if (!hunks) return null
  return hunks.map(({ before }, index) =>
    hunks.slice(0, index).reduceRight((span, earlier) => moveBack(span, [earlier]), before),
  )
}

/** The text after the replacements, with one hunk for each; null where one does not occur. */
export function applyReplacements(
  replacements: readonly Replacement[],
  original: string,
): { text: string; hunks: Hunk[] } | null {
  let text = withPlainEnds(original)
  const hunks: Hunk[] = []
  for (const { oldText, newText, all } of replacements) {
    const [before, after] = [withPlainEnds(oldText), withPlainEnds(newText)]
    let at = text.indexOf(before)
    if (before === '' || at < 0 || (!all && at !== text.lastIndexOf(before))) return null
    do {
      const step = replaceAt(text, at, before.length, after)
      text = step.text
      if (step.hunk) hunks.push(step.hunk)
      if (hunks.length > changesLimits.ranges) return null
      at = all ? text.indexOf(before, at + after.length) : -1
    } while (at >= 0)
  }
  return { text, hunks }
}

/** The hunk has the lines that differ. */
function replaceAt(text: string, at: number, length: number, newText: string): Step {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const next = text.indexOf('\n', at + length)
  const end = next < 0 ? text.length : next + 1
  const replaced = text.slice(start, at) + newText + text.slice(at + length, end)
  const [before, after] = [linesOf(text.slice(start, end)), linesOf(replaced)]
  const equal = equalAtStart(before, after)
  const kept = equalAtStart(before.slice(equal).reverse(), after.slice(equal).reverse())
  const first = linesOf(text.slice(0, start)).length + equal
  const hunk: Hunk = {
    before: [first, first + before.length - equal - kept],
    after: [first, first + after.length - equal - kept],
  }
  const isChange = before.length > equal + kept || after.length > equal + kept
  return { text: text.slice(0, start) + replaced + text.slice(end), hunk: isChange ? hunk : undefined }
}

/** How many lines the two begin with alike. */
function equalAtStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index])
  return different < 0 ? a.length : different
}
