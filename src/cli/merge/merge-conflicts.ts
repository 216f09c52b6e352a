import type { MergeMessage, ParsedMerge } from './git/parse-merge-tree.ts'
import type { Conflict, MergeType } from './merge-result.ts'

/** git's own names of the types, the most telling first: git says of a binary file that its contents conflict, too. */
const types: readonly [RegExp, MergeType][] = [
  [/binary/, 'binary'],
  [/submodule/, 'submodule'],
  [/file\/directory/, 'file_directory'],
  [/rename/, 'rename'],
  [/modify\/delete/, 'modify_delete'],
  [/contents/, 'contents'],
]

/** The conflicts of a merge whose first side is theirs and whose second side is yours, one for each path. */
export function conflictsOf({ stages, messages }: ParsedMerge): Conflict[] {
  const sidesOf = grouped(stages, ({ path, stage }) => [[path, stage]])
  const messagesOf = grouped(messages.filter(isConflict), (message) => message.paths.map((path) => [path, message]))
  const found = new Map<string, Conflict>()
  for (const [path, inStages] of sidesOf) {
    const sides = new Set(inStages)
    const about = messagesOf.get(path) ?? []
    const named = types.find(([pattern]) => about.some(({ type }) => pattern.test(type)))?.[1] ?? 'other'
    const isAdded = named === 'contents' && !sides.has(1)
    const shown = realPath(path, about)
    found.set(shown, {
      path: shown,
      type: isAdded ? 'add_add' : named,
      removed_by: named === 'modify_delete' || named === 'rename' ? removedBy(sides) : null,
    })
  }
  return [...found.values()]
}

/** All paths that the conflicts of a merge name, old and new names of renamed files too. */
export function pathsInConflict({ stages, messages }: ParsedMerge): Set<string> {
  return new Set([...stages.map(({ path }) => path), ...messages.filter(isConflict).flatMap(({ paths }) => paths)])
}

function isConflict({ type }: MergeMessage): boolean {
  return type.startsWith('CONFLICT')
}

function grouped<Item, Value>(items: readonly Item[], entriesOf: (item: Item) => [string, Value][]) {
  const groups = new Map<string, Value[]>()
  for (const [key, value] of items.flatMap(entriesOf)) {
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

/** Where a directory is in the way of a file, git invents a name for the file, and says both. */
function realPath(path: string, about: readonly MergeMessage[]): string {
  const moved = about.find(({ type, paths }) => type.includes('file/directory') && paths[0] === path)
  return moved?.paths[1] ?? path
}

function removedBy(sides: ReadonlySet<number>): Conflict['removed_by'] {
  if (!sides.has(1) || sides.size !== 2) return null
  return sides.has(3) ? 'they' : 'you'
}
