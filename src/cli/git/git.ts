import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { unavailable } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import type { LocatedWorkTree } from './locate-work-tree.ts'

export interface GitOutput {
  /** The exit status. */
  code: number
  stdout: string
  stderr: string
}

export type Git = (...args: string[]) => Promise<GitOutput>

/** git refuses embedded repositories, from version 2.38 on, and runs no file system monitor that a setting names. */
const safeSettings = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false']

/** Variables that point git to a repository outside of its directory. */
const repositoryVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR']

/** What a call of git may cost. */
export interface OutputLimits {
  /** Of stdout. */
  bytes: number
  milliseconds: number
}

export interface LimitedOutput extends GitOutput {
  /** Whether a limit ended git, so that stdout is only the beginning. */
  isCut: boolean
}

/** Runs git within limits. It fetches no objects that a partial clone lacks. */
export type LimitedGit = (limits: OutputLimits, ...args: string[]) => Promise<LimitedOutput>

/** Runs git with a text on stdin. */
export type GitWithInput = (input: string, ...args: string[]) => Promise<GitOutput>

type Place = LocatedWorkTree | undefined
type Caller = Pick<Terminal, 'env' | 'signal'>

/**
 * Runs git at the top of the work tree; without one, git sees only the settings of the user and the machine. Every call of
 * git goes through here but those that try merges (docs/rules.md#git-trust). Throws `unavailable` where git is missing or the time limit has passed.
 */
export function gitIn(workTree: Place, caller: Caller): Git {
  return (...args) => runGit(workTree, caller, args, wide)
}

export function gitWithInputIn(workTree: LocatedWorkTree, caller: Caller): GitWithInput {
  return (input, ...args) => runGit(workTree, caller, args, wide, input)
}

export function limitedGitIn(workTree: LocatedWorkTree, caller: Caller): LimitedGit {
  const env = { ...caller.env, GIT_NO_LAZY_FETCH: '1' }
  return ({ bytes, milliseconds }, ...args) =>
    runGit(workTree, { ...caller, env }, args, { maxBuffer: bytes, timeout: milliseconds })
}

const wide = { maxBuffer: 256 * 1024 * 1024 }

function runGit(
  workTree: Place,
  { env, signal }: Caller,
  args: readonly string[],
  limits: { maxBuffer: number; timeout?: number },
  input?: string,
): Promise<LimitedOutput> {
  const inherited = Object.entries(env).filter(([name]) => !repositoryVariables.includes(name))
  const options = {
    ...limits,
    cwd: workTree?.top ?? '/',
    signal,
    env: {
      ...Object.fromEntries(inherited),
      // git looks for a repository in this directory only, or nowhere.
      ...(workTree ? { GIT_CEILING_DIRECTORIES: dirname(workTree.top) } : { GIT_DIR: devNull }),
      // English messages, no lock on the index for reading, no prompts.
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
    },
  }
  return new Promise((resolve, reject) => {
    const { stdin } = execFile('git', [...safeSettings, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve({ code: 0, stdout, stderr, isCut: false })
      if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr, isCut: false })
      const isTooLong = error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      const isTooSlow = limits.timeout !== undefined && error.killed === true
      if (!signal.aborted && (isTooLong || isTooSlow)) return resolve({ code: 0, stdout, stderr, isCut: true })
      reject(
        unavailable(
          signal.aborted ? 'git did not finish in time.' : 'git could not be run: check that it is on the PATH.',
        ),
      )
    })
    if (input === undefined) return
    // git may end before it reads all of it.
    stdin?.on('error', () => {})
    stdin?.end(input)
  })
}

/** The entries of an output of git with `-z`. */
export function splitNul(output: string): string[] {
  const parts = output.split('\0')
  if (parts.at(-1) === '') parts.pop()
  return parts
}
