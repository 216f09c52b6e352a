import { execFile } from 'node:child_process'
import { devNull } from 'node:os'
import { dirname, parse } from 'node:path'
import { Failure, type Terminal } from '../terminal.ts'
import type { Place } from './find-top.ts'

export interface GitOutput {
  /** The exit status; null where the output was longer than 256 MiB. */
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Runs git in one place. Rejects with a `Failure` where git cannot be run. `index` is a file instead of the clone's own index,
 * `signal` ends git instead of the command's own one.
 */
export type Git = (
  args: readonly string[],
  options?: { input?: string; index?: string; signal?: AbortSignal },
) => Promise<GitOutput>

type Caller = Pick<Terminal, 'env' | 'signal'>

type Setting = readonly [key: string, value: string]

/** What is known of the settings: see `GitConfig`, which is read by git. */
interface KnownSettings {
  filters: readonly string[]
  get(key: string): string | undefined
}

/**
 * git takes no embedded repository for its own, and runs no file system monitor that a setting names. These are arguments and not
 * among the others, since a git that is too old for those is asked for its settings too.
 */
const safeOptions = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false']

/** What nobody of the repository may decide: git runs no hook and fetches nothing, and knows a touched file from a changed one. */
const safeSettings: readonly Setting[] = [
  ['core.hooksPath', devNull],
  ['protocol.allow', 'never'],
  ['diff.autoRefreshIndex', 'true'],
  ['core.splitIndex', 'false'],
]

const longestOutput = 256 * 1024 * 1024

/**
 * git at the top of a work tree; without one it sees the settings of the user and the machine alone. Each content filter of the
 * settings is a program of whoever wrote them, and is emptied. None is known, and none runs, when the settings are read.
 */
export function gitIn(place: Place | undefined, caller: Caller, config?: KnownSettings): Git {
  const settings = [...safeSettings, ...(config?.filters ?? []).flatMap(emptied)]
  const env = environment(place, caller.env, settings)
  // A clone can name another directory, whose files it would get to know.
  if (place && config?.get('core.worktree') !== undefined) env.GIT_WORK_TREE = place.top
  const cwd = place?.top ?? parse(process.execPath).root
  const { signal } = caller
  return (args, { index, ...options } = {}) =>
    run(args, { cwd, env: index === undefined ? env : { ...env, GIT_INDEX_FILE: index }, signal, ...options })
}

function emptied(filter: string): Setting[] {
  const values = { clean: '', smudge: '', process: '', required: 'false' }
  return Object.entries(values).map(([key, value]) => [`filter.${filter}.${key}`, value])
}

function environment(
  place: Place | undefined,
  env: NodeJS.ProcessEnv,
  settings: readonly Setting[],
): NodeJS.ProcessEnv {
  // Hooks of git name another directory or index by such variables.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || keptVariables.test(name))
  return {
    ...Object.fromEntries(inherited),
    ...settingsVariables(settings, Number(env.GIT_CONFIG_COUNT ?? 0) || 0),
    // git looks for a repository in this directory, or nowhere.
    ...(place ? { GIT_CEILING_DIRECTORIES: dirname(place.top) } : { GIT_DIR: devNull }),
    ...{ LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
  }
}

const keptVariables = /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$/

interface Run {
  cwd: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  input?: string
}

function run(args: readonly string[], { cwd, env, signal, input }: Run): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env, signal, maxBuffer: longestOutput, windowsHide: true }
    const child = execFile('git', [...safeOptions, ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve({ code: 0, stdout, stderr })
      if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr })
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return resolve({ code: null, stdout, stderr })
      const message = signal.aborted
        ? 'git did not finish in time.'
        : 'git cannot be run: install it, or put it on PATH.'
      reject(new Failure(message))
    })
    // git may end before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** The entries of an output of git with `-z`. */
export function splitNul(output: string): string[] {
  const parts = output.split('\0')
  if (parts.at(-1) === '') parts.pop()
  return parts
}

/**
 * Settings of git by variables: other users can read arguments, and the name of a filter may hold `=`. `first` is the number of
 * settings that the environment has already.
 */
export function settingsVariables(settings: readonly (readonly [string, string])[], first = 0): Record<string, string> {
  const variables = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(first + settings.length) }
}

/** The version of git as `2.39`, and whether it merges without a work tree (`merge-tree --stdin`). */
export async function readGitVersion(git: Git): Promise<{ version: string; canMerge: boolean }> {
  const version = /\d+\.\d+/.exec((await git(['version'])).stdout)?.[0] ?? '0.0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return { version, canMerge: major > 2 || (major === 2 && minor >= 39) }
}
