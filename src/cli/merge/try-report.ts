import { quoted, quotedPath } from '../../core/texts/quote.ts'
import { joined } from '../../core/texts/words.ts'
import { type Answered, maxHeads, type OtherWork, type Tries } from './candidates.ts'

/** What tries say beside an answer, which stays as it is. */
export interface TryReport {
  /** For programs: null where a merge is not known. */
  merges: { activity_id: string; conflicts: readonly string[] | null }[]
  /** For people. */
  lines: string[]
  /** The files that the work changes, and in which it conflicts with its target branch alone; null where it merges, or is not known. */
  ownConflicts: readonly string[] | null
}

/** `ownPaths` are the files that the work changes, with the old names of renamed ones: no other path is named. */
export function reportOf(
  { collisions, nearby }: Answered,
  { tried, ownConflicts }: Tries,
  ownPaths: ReadonlySet<string>,
): TryReport {
  const works = new Map([...collisions, ...nearby].map((met) => [met.activity_id, met]))
  const about = tried.flatMap((one) => {
    const met = works.get(one.activity_id)
    return met
      ? { ...one, name: nameOf(met), conflicts: one.conflicts && namedPaths(one.conflicts, met, ownPaths) }
      : []
  })
  const conflicts = about.flatMap(({ name, conflicts: paths }) =>
    paths && paths.length > 0 ? `Tried now: your work and ${name} do not merge: ${joined(paths.map(quotedPath))}.` : [],
  )
  const clean = about.flatMap(({ name, conflicts: paths }) => (paths?.length === 0 ? name : []))
  const untried = about.filter(({ conflicts: paths }) => paths === null)
  const reasons = [...new Set(untried.map(({ reason }) => reason))].map((reason) => {
    const names = untried.flatMap((one) => (one.reason === reason ? one.name : []))
    return `${joined(names, maxHeads)} (${reason})`
  })
  return {
    merges: about.map(({ activity_id, conflicts: paths }) => ({ activity_id, conflicts: paths })),
    lines: [
      ...conflicts,
      ...(clean.length === 0
        ? []
        : [`Tried now: ${joined(clean, maxHeads)} ${clean.length === 1 ? 'merges' : 'merge'} with your work.`]),
      ...(reasons.length === 0 ? [] : [`Not tried: ${reasons.join('; ')}.`]),
    ],
    ownConflicts: ownConflicts.length === 0 ? null : ownConflicts.filter((path) => ownPaths.has(path)),
  }
}

/**
 * The conflicts in files that one changes oneself. A conflict in another file, such as the new name of a renamed one, is named
 * by what the service says of the two: names of other people's files are other people's text, and some are invented by git.
 */
function namedPaths(conflicts: readonly string[], { paths, example_path }: OtherWork, ownPaths: ReadonlySet<string>) {
  const own = conflicts.filter((path) => ownPaths.has(path))
  if (conflicts.length === 0 || own.length > 0) return own
  return paths.length > 0 ? paths : [example_path ?? '.']
}

/** A stranger's work always has a number: nothing else of it is quoted. */
function nameOf({ number, branch, actor }: OtherWork): string {
  return number === null ? `${quoted(branch ?? 'no branch')} of ${quoted(actor)}` : `#${number}`
}
