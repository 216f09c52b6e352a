import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { couldNotAsk } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { LocatedWorkTree } from './locate-work-tree.ts'

export interface GitOutput {
  /** 0 where it went well. */
  code: number
  stdout: string
  stderr: string
}

export type Git = (...args: string[]) => Promise<GitOutput>

/** git refuses embedded repositories by itself from 2.38 on, and runs no command to learn what is changed. */
const safeSettings = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false']

/** What would lead git to another repository than the one in its directory. */
const repositoryVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR']

/**
 * Every call of git. It runs at the top of the work tree; without one it reads the settings of the user and the machine
 * alone. Fails with `notAsked` where there is no git, or where the time is over.
 */
export function gitIn(workTree: LocatedWorkTree | undefined, { env, signal }: Pick<Terminal, 'env' | 'signal'>): Git {
  const inherited = Object.entries(env).filter(([name]) => !repositoryVariables.includes(name))
  const options = {
    cwd: workTree?.top ?? '/',
    signal,
    maxBuffer: 256 * 1024 * 1024,
    env: {
      ...Object.fromEntries(inherited),
      // git looks for a repository in its directory and not above, or for none.
      ...(workTree ? { GIT_CEILING_DIRECTORIES: dirname(workTree.top) } : { GIT_DIR: devNull }),
      // English messages, no lock on the index for a look, no questions.
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
    },
  }
  return (...args) =>
    new Promise((resolve, reject) => {
      execFile('git', [...safeSettings, ...args], options, (error, stdout, stderr) => {
        if (!error) return resolve({ code: 0, stdout, stderr })
        if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr })
        reject(couldNotAsk(signal.aborted ? 'git did not answer in time.' : 'git could not be run: is it on the PATH?'))
      })
    })
}

/** The entries of an output with `-z`. */
export function entries(output: string): string[] {
  const parts = output.split('\0')
  if (parts.at(-1) === '') parts.pop()
  return parts
}
