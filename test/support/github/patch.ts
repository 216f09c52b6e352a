/**
 * First and last line of the old side, 1-based, both included. `[n, n + 1]` is an insertion after line n, and `[0, 1]`
 * the content of a new file.
 */
export type LineRange = readonly [first: number, last: number]

/** Lines that are replaced by others. */
interface Edit {
  /** The number of the first removed line; without removed lines, of the line that the added ones precede. */
  at: number
  removed: readonly string[]
  added: readonly string[]
}

type LineAt = (line: number) => string | undefined

const contextLines = 3

/** A patch in GitHub's form that changes just these lines. The text of the lines is made up. */
export function patchOfLines(ranges: readonly LineRange[], isWholeFile: boolean, isRemoved: boolean): string {
  const edits = ranges.map(([first, last]): Edit => {
    if (last === first + 1 && !isRemoved) return { at: last, removed: [], added: [`new line ${last}`] }
    const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    return {
      at: first,
      removed: lines.map((line) => `line ${line}`),
      added: isRemoved ? [] : lines.map((line) => `new line ${line}`),
    }
  })
  return patchOf(edits, (line) => (isWholeFile ? undefined : `line ${line}`))
}

/** The patch from one text to another, as one run of lines. Null stands for no file; the result is null without a change. */
export function patchOfTexts(before: string | null, after: string | null): string | null {
  const [old, now] = [linesOf(before), linesOf(after)]
  const shortest = Math.min(old.length, now.length)
  let same = 0
  while (same < shortest && old[same] === now[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < shortest - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++
  const removed = old.slice(same, old.length - sameAtEnd)
  const added = now.slice(same, now.length - sameAtEnd)
  if (removed.length + added.length === 0) return null
  return patchOf([{ at: same + 1, removed, added }], (line) => old[line - 1])
}

/** How many lines a patch adds and removes. */
export function countLines(patch: string): { additions: number; deletions: number } {
  const lines = patch.split('\n')
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  }
}

function linesOf(text: string | null): string[] {
  return text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function patchOf(edits: readonly Edit[], lineAt: LineAt): string {
  let shift = 0
  return hunksOf(edits)
    .map((hunk) => {
      const text = hunkText(hunk, lineAt, shift)
      for (const { removed, added } of hunk) shift += added.length - removed.length
      return text
    })
    .join('\n')
}

/** Edits are in one hunk where their context touches. */
function hunksOf(edits: readonly Edit[]): Edit[][] {
  const hunks: Edit[][] = []
  let end = -Infinity
  for (const edit of edits) {
    if (edit.at - end <= 2 * contextLines) hunks.at(-1)?.push(edit)
    else hunks.push([edit])
    end = edit.at + edit.removed.length
  }
  return hunks
}

function hunkText(edits: readonly Edit[], lineAt: LineAt, shift: number): string {
  const lines: string[] = []
  const context = (from: number, to: number) => {
    for (let line = Math.max(1, from); line < to; line++) {
      const text = lineAt(line)
      if (text !== undefined) lines.push(` ${text}`)
    }
  }
  const start = (edits[0]?.at ?? 1) - contextLines
  let next = start
  for (const { at, removed, added } of edits) {
    context(next, at)
    lines.push(...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`))
    next = at + removed.length
  }
  context(next, next + contextLines)
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length
  const first = Math.max(1, start)
  return [`@@ -${side(first, count('+'))} +${side(first + shift, count('-'))} @@`, ...lines].join('\n')
}

/** As in git: a count of 1 is omitted, and a side without lines names the line before it. */
function side(first: number, count: number): string {
  if (count === 1) return String(first)
  return `${count === 0 ? first - 1 : first},${count}`
}
