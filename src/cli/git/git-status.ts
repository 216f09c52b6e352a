import { entries } from './git.ts'

export interface GitStatus {
  branch: string | null
  hasCommits: boolean
  paths: string[]
}

/** How many fields stand before the path, by the kind of an entry (git-status, "Porcelain Format Version 2"). */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }

/** Reads `git status --porcelain=v2 --branch -z`. Its paths are from the top, whatever the directory. */
export function readStatus(output: string): GitStatus {
  const status: GitStatus = { branch: null, hasCommits: true, paths: [] }
  const all = entries(output)
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
    // A rename or copy is followed by the old name.
    if (kind === '2') status.paths.push(all[++index] ?? '')
  }
  return status
}
