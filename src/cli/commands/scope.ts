import type { SavedScope } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { findChanges } from '../git/changes.ts'
import { collapseLimits } from '../git/collapse-paths.ts'
import { givenGlob } from '../git/given-paths.ts'
import { plain } from '../plain-text.ts'

/** The globs that were named; undefined where none were. Says on stderr which one may have been meant otherwise. */
export function namedGlobs({ args, tree, terminal }: CommandContext, names = args.positionals): string[] | undefined {
  if (names.length === 0) return undefined
  if (!tree) return names
  return names.map((name) => {
    const { glob, note } = givenGlob(name, { top: tree.top, cwd: terminal.cwd })
    if (note !== undefined) terminal.err(`Note: ${plain(note)}`)
    return glob
  })
}

/** What is changed here; says on stderr what could not be counted in. */
export async function changedGlobs(
  { tree, terminal, branch }: CommandContext,
  base: BaseBranch | null,
  limit?: number,
): Promise<string[]> {
  if (!tree || tree.branch !== branch) return []
  const { globs, note } = await findChanges(tree, base, limit)
  if (note !== undefined) terminal.err(`Note: ${note}`)
  return globs
}

/** The scope of a command: the paths and areas that were named, else what is changed; with `--changed` both. */
export async function commandScope(place: CommandContext, base: BaseBranch | null): Promise<SavedScope> {
  const areas = place.args.texts('area')
  const paths = namedGlobs(place)
  if (place.args.flag('changed')) return widened(place, base, { areas, paths: paths ?? [] })
  return { areas, paths: paths ?? (areas.length > 0 ? [] : await changedGlobs(place, base)) }
}

/** A scope that is recorded already, and what is changed besides: as many globs as a scope may have. */
export async function widened(place: CommandContext, base: BaseBranch | null, scope: SavedScope): Promise<SavedScope> {
  const room = collapseLimits.globs - scope.paths.length
  if (room < 1) return scope
  return { areas: scope.areas, paths: [...new Set([...scope.paths, ...(await changedGlobs(place, base, room))])] }
}
