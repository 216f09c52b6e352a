import { splitNul } from './git.ts'

export interface GitStatus {
  /** Null for a detached head. */
  branch: string | null
  /** The commit that is checked out; null before the first commit. */
  head: string | null
  /** Staged, unstaged and untracked files, with both names of a renamed file. */
  paths: string[]
  /** Those of the paths that are untracked. */
  untracked: string[]
}

/** The number of fields before the path, by the kind of an entry (git-status, "Porcelain Format Version 2"). */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }

/** Parses the output of `git status --porcelain=v2 --branch -z`. The paths are from the top of the work tree. */
export function readStatus(output: string): GitStatus {
  const status: GitStatus = { branch: null, head: null, paths: [], untracked: [] }
  const all = splitNul(output)
  for (let index = 0; index < all.length; index++) {
    const entry = all[index] ?? ''
    if (/^# branch\.oid [0-9a-f]/.test(entry)) status.head = entry.slice('# branch.oid '.length)
    if (entry.startsWith('# branch.head ')) {
      const name = entry.slice('# branch.head '.length)
      status.branch = name === '(detached)' ? null : name
    }
    const kind = entry.slice(0, entry.indexOf(' '))
    const before = fieldsBefore[kind]
    if (before === undefined) continue
    const path = entry.split(' ').slice(before).join(' ')
    status.paths.push(path)
    if (kind === '?') status.untracked.push(path)
    // The old name of a rename or copy is the next entry.
    if (kind === '2') status.paths.push(all[++index] ?? '')
  }
  return status
}
