import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitProcesses } from './git-process.ts'
import { type Guards, isolatedEnv } from './guards.ts'

/** The content of one file on both sides and in their merge base. */
export interface FileSides {
  base: Buffer
  theirs: Buffer
  mine: Buffer
}

/** The merged content; `conflicts`, or `undecided` where git cannot say, as for a binary file. */
export type MergedFile = Buffer | 'conflicts' | 'undecided'

interface Place {
  git: GitProcesses
  /** A temporary directory. */
  directory: string
  env: NodeJS.ProcessEnv
  guards: Guards
}

/** Merges one file, by a process where both sides changed it. */
export async function mergeFile({ base, theirs, mine }: FileSides, place: Place): Promise<MergedFile> {
  if (theirs.equals(mine) || mine.equals(base)) return theirs
  if (theirs.equals(base)) return mine
  const { git, directory, env, guards } = place
  count += 1
  const paths = Object.entries({ theirs, base, mine }).map(([name, content]) => {
    const path = join(directory, `${name}-${count}`)
    writeFileSync(path, content)
    return path
  })
  const { code, stdout } = await git.run({
    args: ['merge-file', '--stdout', '--quiet', ...paths],
    cwd: directory,
    env: isolatedEnv(env, directory, guards),
  })
  if (code === 0) return stdout
  // The number of conflicts, at most 127. Above, it is a failure.
  return code > 0 && code <= 127 ? 'conflicts' : 'undecided'
}

let count = 0
