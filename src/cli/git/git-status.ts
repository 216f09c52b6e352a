import { splitNul } from './git.ts'

export interface GitStatus {
  /** Null for a detached head. */
  branch: string | null
  /** The commit that is checked out; null before the first commit. */
  head: string | null
  /** Staged, unstaged and untracked files. One that is removed from the index and still there is named twice. */
  uncommitted: UncommittedFile[]
}

export interface UncommittedFile {
  /** From the top of the work tree. */
  path: string
  isUntracked: boolean
  /** Whether it is a submodule, or an untracked repository. */
  isRepository: boolean
}

/** The number of fields before the path, by the kind of an entry (git-status, "Porcelain Format Version 2"). */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 }

/** Parses the output of `git status --porcelain=v2 --branch -z --no-renames`. */
export function readStatus(output: string): GitStatus {
  const status: GitStatus = { branch: null, head: null, uncommitted: [] }
  for (const entry of splitNul(output)) {
    if (/^# branch\.oid [0-9a-f]/.test(entry)) status.head = entry.slice('# branch.oid '.length)
    if (entry.startsWith('# branch.head ')) {
      const name = entry.slice('# branch.head '.length)
      status.branch = name === '(detached)' ? null : name
    }
    const kind = entry.slice(0, entry.indexOf(' '))
    const before = fieldsBefore[kind]
    if (before === undefined) continue
    const fields = entry.split(' ')
    const path = fields.slice(before).join(' ')
    const isUntracked = kind === '?'
    // git names an untracked repository as a directory.
    const isRepository = isUntracked ? path.endsWith('/') : fields[2]?.startsWith('S') === true
    status.uncommitted.push({ path, isUntracked, isRepository })
  }
  return status
}
