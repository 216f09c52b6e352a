import { z } from 'zod'
import { newSha } from './ids.ts'
import { countLines, patchOfLines, patchOfTexts } from './patch.ts'
import type { ChangedFile } from './pull-data.ts'

/**
 * A changed file of a pull request, in tests, commands and the data file. Only `path` is required: `modified`, or
 * `renamed` with a `previousPath`.
 *
 * - `lines`: ranges of the old side, from which the patch is made. `[n, n + 1]` is an insertion after line n.
 * - `patch`: the patch itself, instead of `lines`.
 * - Without both there is no patch, as for a binary file. With `additions` or `deletions` it is a patch that is too large.
 */
export const FileInput = z.strictObject({
  path: z.string(),
  previousPath: z.string().exactOptional(),
  status: z.enum(['added', 'modified', 'removed', 'renamed', 'copied', 'changed', 'unchanged']).exactOptional(),
  lines: z
    .array(z.tuple([z.int(), z.int()]).readonly())
    .readonly()
    .exactOptional(),
  patch: z.string().exactOptional(),
  additions: z.int().exactOptional(),
  deletions: z.int().exactOptional(),
  /** The id of the blob; else a new one. */
  sha: z.string().exactOptional(),
})
export type FileInput = z.infer<typeof FileInput>

export function changedFile({ path, previousPath, lines, ...given }: FileInput): ChangedFile {
  const status = given.status ?? (previousPath === undefined ? 'modified' : 'renamed')
  const isWholeFile = status === 'added' || status === 'removed'
  const made = lines === undefined || lines.length === 0 ? null : patchOfLines(lines, isWholeFile, status === 'removed')
  const patch = given.patch ?? made
  const counts = patch === null ? { additions: 0, deletions: 0 } : countLines(patch)
  const { additions = counts.additions, deletions = counts.deletions, sha = newSha() } = given
  return { path, previousPath: previousPath ?? null, status, additions, deletions, patch, sha }
}

/** The changed files after texts were pushed: `former` are those before, `files` the texts of the default branch. */
export function withTexts(
  former: readonly ChangedFile[],
  files: ReadonlyMap<string, string>,
  pushed: Readonly<Record<string, string | null>>,
): ChangedFile[] {
  const kept = former.filter(({ path }) => !(path in pushed))
  const changed = Object.entries(pushed).flatMap(([path, text]) => changedText(path, files.get(path) ?? null, text))
  return [...kept, ...changed].sort((left, right) => (left.path < right.path ? -1 : 1))
}

function changedText(path: string, before: string | null, after: string | null): ChangedFile[] {
  if (before === after) return []
  const status = before === null ? 'added' : after === null ? 'removed' : 'modified'
  const patch = patchOfTexts(before, after)
  return [changedFile({ path, status, ...(patch === null ? {} : { patch }) })]
}
