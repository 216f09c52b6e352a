import fc from 'fast-check'
import type { ChangedLines } from '../../../src/core/changes/file-change.ts'

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
export function changedOf({ runs }: Edit): ChangedLines {
  return {
    lines: runs.map(({ first, removed }) => (removed > 0 ? [first, first + removed - 1] : [first - 1, first])),
    // Where no two lines are replaced or removed, it need not be said what is inserted.
    ...(runs.some(({ removed }) => removed === 2) && {
      inserts: runs.flatMap(({ removed }, at) => (removed === 0 ? at : [])),
    }),
  }
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

/** The hunks of the edit as a diff shows them, with so many lines of context. */
export function hunksOf({ length, runs }: Edit, context: number): string {
  const groups: Run[][] = []
  for (const run of runs) {
    const previous = groups.at(-1)?.at(-1)
    if (previous && run.first - (previous.first + previous.removed) <= 2 * context) groups.at(-1)?.push(run)
    else groups.push([run])
  }
  let shift = 0
  return groups
    .map((group) => {
      const [start, end] = [group[0]?.first ?? 1, endOf(group.at(-1))]
      const from = Math.max(1, start - context)
      const to = Math.min(length, end - 1 + context)
      const body: string[] = []
      let next = from
      for (const { first, removed, added } of [...group, { first: to + 1, removed: 0, added: [] }]) {
        for (; next < first; next++) body.push(` line ${next}`)
        for (; next < first + removed; next++) body.push(`-line ${next}`)
        body.push(...added.map((line) => `+${line}`))
      }
      const oldCount = to - from + 1
      const newCount = body.filter((line) => !line.startsWith('-')).length
      const side = (at: number, count: number) => `${count === 0 ? at - 1 : at}${count === 1 ? '' : `,${count}`}`
      const header = `@@ -${side(from, oldCount)} +${side(from + shift, newCount)} @@ some heading`
      shift += newCount - oldCount
      return [header, ...body].join('\n')
    })
    .join('\n')
}

/** The line after the run. */
function endOf(run: Run | undefined): number {
  return run ? run.first + run.removed : 1
}
