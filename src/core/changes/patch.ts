import { parsePatch, type StructuredPatchHunk } from 'diff'

export interface LineCounts {
  additions: number
  deletions: number
}

/**
 * The changed lines of the old side in the hunks of one file, with any amount of context: `[n + 1, n]` is an insertion after line n.
 * Null where the text may not be whole: a torn hunk, hunks in disorder, or other counts than those expected.
 */
export function linesOfPatch(patch: string, expected?: LineCounts): number[][] | null {
  const hunks = hunksOf(patch)
  if (hunks === null || (expected && !hasCounts(hunks, expected))) return null
  let end = 0
  for (const { oldStart, oldLines } of hunks) {
    if (oldStart <= end) return null
    end = oldStart + oldLines - 1
  }
  return hunks.flatMap(rangesIn)
}

function hunksOf(patch: string): readonly StructuredPatchHunk[] | null {
  try {
    const [file, ...others] = parsePatch(patch)
    return file && file.hunks.length > 0 && others.length === 0 ? file.hunks : null
  } catch {
    return null
  }
}

function hasCounts(hunks: readonly StructuredPatchHunk[], { additions, deletions }: LineCounts): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return count('+') === additions && count('-') === deletions
}

function rangesIn({ oldStart, lines }: StructuredPatchHunk): number[][] {
  const ranges: [number, number][] = []
  let next = oldStart
  let run: [number, number] | null = null
  for (const line of lines) {
    // "No newline at end of file" is no line.
    if (line.startsWith('\\')) continue
    if (!line.startsWith('+') && !line.startsWith('-')) {
      run = null
      next++
      continue
    }
    if (run === null) {
      run = [next, next - 1]
      ranges.push(run)
    }
    if (line.startsWith('-')) run[1] = next++
  }
  return ranges
}
