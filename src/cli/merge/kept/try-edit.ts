import { rmSync } from 'node:fs'
import type { LocatedWorkTree } from '../../git/locate-work-tree.ts'
import type { Terminal } from '../../terminal.ts'
import { startGitProcesses } from '../git/git-process.ts'
import { allGuards, type Guards } from '../git/guards.ts'
import { mergeFile } from '../git/merge-file.ts'
import { createTemporary } from '../git/merge-store.ts'
import { NotTried } from '../merge-result.ts'
import { readMergedFile } from './merged-files.ts'

export interface EditQuestion {
  workTree: LocatedWorkTree
  /** The file, from the top of the work tree. */
  path: string
  /** Its content after the edit. */
  content: Buffer
  /** The folder of kept files. */
  folder: string
  milliseconds: number
  terminal: Pick<Terminal, 'env' | 'signal' | 'platform' | 'now'>
  temporary: string
}

/** Whether the file after the edit merges with the head that somebody else had at the last try. */
export interface EditResult {
  activity_id: string
  merge: 'conflicts' | 'clean' | 'not_tried'
  head_sha: string
  target_sha: string
  /** When the head was fetched, in milliseconds since 1970. */
  tried_at: number
}

/** Tries an edit with what the last try has kept of others. Nothing is fetched, and nothing of the clone is read. */
export async function tryEdit(question: EditQuestion, guards: Guards = allGuards): Promise<EditResult[]> {
  const { workTree, path, content, folder, milliseconds, terminal, temporary } = question
  if (terminal.platform === 'win32') return []
  const { savedAt, entries } = await readMergedFile(folder, workTree, path, terminal.now())
  if (entries.length === 0) return []
  const git = startGitProcesses({ deadline: performance.now() + milliseconds, signal: terminal.signal })
  const directory = createTemporary(temporary)
  try {
    return await Promise.all(
      entries.map(async ({ activity_id, head_sha, target_sha, base, theirs }) => {
        const place = { git, directory, env: terminal.env, guards }
        const merged = await mergeFile({ base, theirs, mine: content }, place).catch((error: unknown) => {
          if (error instanceof NotTried) return 'undecided' as const
          throw error
        })
        const merge = merged === 'undecided' ? 'not_tried' : merged === 'conflicts' ? merged : 'clean'
        return { activity_id, merge, head_sha, target_sha, tried_at: savedAt }
      }),
    )
  } finally {
    git.kill()
    rmSync(directory, { recursive: true, force: true })
  }
}
