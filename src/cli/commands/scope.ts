import type { CollapseLimits } from '../../changes/collapse-paths.ts'
import { scopePathLimits } from '../../scope/glob/limits.ts'
import type { SavedScope } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { findChanges } from '../git/changes.ts'
import { givenGlob } from '../git/given-paths.ts'
import { missingPaths } from '../git/missing-paths.ts'
import { plain } from '../output/plain-text.ts'

/** The globs of the named paths; undefined without any. Prints a note for a path that may mean another place. */
export function namedGlobs({ args, tree, terminal }: CommandContext, names = args.positionals): string[] | undefined {
  if (names.length === 0) return undefined
  if (!tree) return names
  return names.map((name) => {
    const { glob, note } = givenGlob(name, { top: tree.top, cwd: terminal.cwd })
    if (note !== undefined) terminal.err(`Note: ${plain(note)}`)
    return glob
  })
}

/** Which of the named globs are about nothing in this work tree, as sentences. Nothing is known of another branch. */
export async function missingNamed(
  { tree, branch, args }: CommandContext,
  globs: readonly string[] | undefined,
): Promise<string[]> {
  if (!tree || tree.branch !== branch || args.positionals.length === 0) return []
  return missingPaths(tree, globs ?? [])
}

/** The globs of the changed files. Prints a note where some changes are not counted. */
export async function changedGlobs(
  { tree, terminal, branch }: CommandContext,
  base: BaseBranch | null,
  limits?: CollapseLimits,
): Promise<string[]> {
  if (!tree || tree.branch !== branch) return []
  const { globs, note } = await findChanges(tree, base, limits)
  if (note !== undefined) terminal.err(`Note: ${note}`)
  return globs
}

/** Adds the changed files to a scope, as directories where a scope may not have more globs. */
export async function addChanges(
  context: CommandContext,
  base: BaseBranch | null,
  scope: SavedScope,
): Promise<SavedScope> {
  const bytes = scope.paths.reduce((sum, path) => sum + Buffer.byteLength(path), 0)
  const left = { globs: scopePathLimits.globs - scope.paths.length, bytes: scopePathLimits.bytes - bytes }
  // The shortest glob, of everything, has two bytes.
  if (left.globs < 1 || left.bytes < 2) return scope
  return { areas: scope.areas, paths: [...new Set([...scope.paths, ...(await changedGlobs(context, base, left))])] }
}
