import { type Glob, globOf, type Pattern } from '../globs/glob.ts'
import { directoryOf, lookupKeys } from '../globs/keys.ts'
import { TooCostly } from '../globs/shared.ts'
import { matchesPath, sharedPath } from '../globs/shared-path.ts'
import { directoriesAbove } from './files.ts'
import { linkOf } from './relationship.ts'
import { areaKey, type OverlapRules, type Work } from './work.ts'

const mostSteps = 200_000

/** The keys of all work and notables that may meet this one: see `lookupKeys`. */
export function keysOf(work: Work, branches: readonly (string | null)[], defaultBranch: string, rules: OverlapRules) {
  const areas = [...work.areas.keys(), ...areasAt(work, rules)]
  const links = branches.flatMap((name) => linkOf(name, defaultBranch) ?? [])
  return lookupKeys({ globs: globsOf(work), areas, paths: work.files.sorted, issues: work.issues, branches: links })
}

/** Those that it declares, and those of its areas. */
function globsOf({ globs, areaGlobs }: Work): Glob[] {
  return [...globs, ...[...areaGlobs.values()].flat()]
}

/** The areas of the settings below which it names or changes something. */
function areasAt({ globs, files }: Work, { areaPaths }: OverlapRules): string[] {
  const budget = { steps: mostSteps }
  const isBelow = (text: string) => {
    const area = globOf(text)
    try {
      return (
        globs.some((glob) => sharedPath(glob, area, budget) !== null) ||
        files.sorted.some((path) => matchesPath(area, path, budget))
      )
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      // What may be in the area is looked up, and compared within the budget of the check.
      return true
    }
  }
  return [...areaPaths].flatMap(([label, paths]) => (paths.some(isBelow) ? [areaKey(label)] : []))
}

/** The paths at which the same file may be changed: those that it changes, with their directories, and those that it names. */
export function pathsOf(work: Work): string[] {
  const { files } = work
  const named = patternsOf(work).flatMap(({ path }) => path ?? [])
  return [...new Set([...files.sorted, ...files.sorted.flatMap(directoriesAbove), ...named])]
}

/** Those of its globs, and of its areas. */
function patternsOf(work: Work): Pattern[] {
  return globsOf(work).flatMap(({ patterns }) => patterns)
}

/** The literal directories below which its globs may match, without those that lie in another. */
export function directoriesOf(work: Work): string[] {
  const all = [...new Set(patternsOf(work).map(({ directory }) => directory))].sort()
  return all.filter((one, at) => !all.slice(0, at).some((other) => one.startsWith(other)))
}

/**
 * The directories to which it adds files, and those out of which it renames files. `below` are the paths of its new files, as
 * directories: others may have directories there.
 */
export function neighbourhoodOf({ files }: Work) {
  // At the top git never takes a file along.
  const besideTop = (directories: Iterable<string>) => [...new Set(directories)].filter((one) => one !== '')
  const placed = files.sorted.filter((path) => ['added', 'renamed'].includes(files.byPath.get(path)?.status ?? ''))
  return {
    added: besideTop(files.added.map(directoryOf)),
    renamed: besideTop(files.renamedDirectories),
    below: placed.map((path) => `${path}/`),
  }
}
