import type { CommandContext } from '../command-context.ts'
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
