import { splitNul } from './git.ts'

export interface GitStatus {
  /** Null for a detached head. */
  branch: string | null
  hasCommits: boolean
  paths: string[]
}

/** The number of fields before the path, by the kind of an entry (git-status, "Porcelain Format Version 2"). */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }

/** Parses the output of `git status --porcelain=v2 --branch -z`. The paths are from the top of the work tree. */
export function readStatus(output: string): GitStatus {
  const status: GitStatus = { branch: null, hasCommits: true, paths: [] }
  const all = splitNul(output)
  for (let index = 0; index < all.length; index++) {
    const entry = all[index] ?? ''
    if (entry === '# branch.oid (initial)') status.hasCommits = false
    if (entry.startsWith('# branch.head ')) {
      const name = entry.slice('# branch.head '.length)
      status.branch = name === '(detached)' ? null : name
    }
    const kind = entry.slice(0, entry.indexOf(' '))
    const before = fieldsBefore[kind]
    if (before === undefined) continue
    status.paths.push(entry.split(' ').slice(before).join(' '))
    // The old name of a rename or copy is the next entry.
    if (kind === '2') status.paths.push(all[++index] ?? '')
  }
  return status
}
