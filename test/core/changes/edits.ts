import fc from 'fast-check'

/** A stretch of changed lines, with an unchanged line before the next. */
interface Run {
  /** The first line that goes, else the line that the new ones come before; 1-based. */
  first: number
  removed: number
  added: readonly string[]
}

/** An edit of the file `line 1` to `line <length>`. As no two lines are the same, there is only one diff of it. */
export interface Edit {
  length: number
  runs: readonly Run[]
}

/** Edits whose new lines all hold `name`. */
export function edits(length: number, name: string): fc.Arbitrary<Edit> {
  const step = fc.record({ kept: fc.integer({ min: 1, max: 6 }), removed: fc.nat(3), added: fc.nat(2) })
  return fc.record({ start: fc.nat(length), steps: fc.array(step, { maxLength: 5 }) }).map(({ start, steps }) => {
    const runs: Run[] = []
    let first = start + 1
    for (const { kept, removed, added } of steps) {
      const count = Math.min(removed, length + 1 - first)
      const lines = Array.from({ length: added }, (_, n) => `${name} ${first}.${n}`)
      if (first <= length + 1 && count + added > 0) runs.push({ first, removed: count, added: lines })
      first += count + kept
    }
    return { length, runs }
  })
}

/** The truth: what the edit changes of the old side. */
export function linesOf({ runs }: Edit): number[][] {
  return runs.map(({ first, removed }) => [first, first + removed - 1])
}

export function oldText(length: number): string {
  return Array.from({ length }, (_, n) => `line ${n + 1}\n`).join('')
}

export function newText({ length, runs }: Edit): string {
  const lines: string[] = []
  let next = 1
  for (const { first, removed, added } of [...runs, { first: length + 1, removed: 0, added: [] }]) {
    for (; next < first; next++) lines.push(`line ${next}`)
    lines.push(...added)
    next = first + removed
  }
  return lines.map((line) => `${line}\n`).join('')
}
