import { splitNul } from '../../git/git.ts'

/** A path that differs from the commit that is checked out. */
export interface ChangedEntry {
  path: string
  /** Of the head, the index and the work tree, as far as git names them. */
  modes: string[]
  /** Whether the index differs from the commit. */
  isStaged: boolean
  /** Whether it is a repository that git does not track. */
  isRepository: boolean
}

export interface ChangedEntries {
  /** Null before the first commit. */
  head: string | null
  entries: ChangedEntry[]
  /** Whether a conflict waits to be resolved. */
  isUnmerged: boolean
}

/** Parses the output of `git status --porcelain=v2 --branch -z --no-renames` for the content of the work tree. */
export function parseChangedEntries(output: string): ChangedEntries {
  const found: ChangedEntries = { head: null, entries: [], isUnmerged: false }
  for (const line of splitNul(output)) {
    found.head = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1] ?? found.head
    if (line.startsWith('u ')) found.isUnmerged = true
    if (line.startsWith('? ')) {
      const path = line.slice(2)
      found.entries.push({ path, modes: [], isStaged: false, isRepository: path.endsWith('/') })
    }
    if (!line.startsWith('1 ')) continue
    const [, state = '', , ...fields] = line.split(' ')
    const isStaged = state[0] !== '.'
    found.entries.push({ path: fields.slice(5).join(' '), modes: fields.slice(0, 3), isStaged, isRepository: false })
  }
  return found
}
