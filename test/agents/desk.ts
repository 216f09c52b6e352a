import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asRecord, type Json, parseJson } from '../../src/cli/client/json.ts'
import { environment, headsup, newDirectory, type ProgramResult, run, workTree } from '../support/command-line.ts'

/** The files of the project: `export const line1 = 1` to `line30`. */
export const lineOf = (n: number, value: number | string = n) => `export const line${n} = ${value}\n`
const thirtyLines = Array.from({ length: 30 }, (_, n) => lineOf(n + 1)).join('')

/** Makes a repository, to be cloned any number of times. Returns its path. */
export function makeProject(): string {
  const path = join(newDirectory(), 'shop')
  mkdirSync(path)
  const seed = workTree(path, 'Seed')
  seed.git('init', '-q')
  for (const file of ['src/a.ts', 'src/far.ts', 'old.ts']) seed.write(file, thirtyLines)
  seed.commit()
  return path
}

export interface DeskOptions {
  project: string
  repository: { owner: string; name: string }
  /** Who works here: also the branch, `feat/NAME`. */
  actor: string
  url: string
  token: string
}

export interface AgentRun extends ProgramResult {
  ms: number
}

/** A clone with a HOME of its own, and the built `headsup` on the PATH. */
export interface Desk {
  path: string
  home: string
  branch: string
  env: Record<string, string>
  git(...args: string[]): string
  headsup(...args: string[]): Promise<ProgramResult>
  /** Runs a program here, and ends it with all that it started after three minutes. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<AgentRun>
  /** What hooks got on stdin, in order. */
  payloads(): Json[]
  write(file: string, text: string): void
}

export function openDesk({ project, repository, actor, url, token }: DeskOptions): Desk {
  const root = newDirectory()
  const [path, home, bin, calls] = ['shop', 'home', 'bin', 'calls'].map((name) => join(root, name)) as Four
  for (const directory of [home, bin, calls]) mkdirSync(directory)
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\nname = ${actor}\nemail = a@example.com\n[init]\ndefaultBranch = main\n`,
  )
  const env = environment(home, {
    ...{ PATH: `${bin}:${process.env.PATH}`, TERM: 'xterm', LANG: 'C.UTF-8' },
    ...{ HEADSUP_URL: url, HEADSUP_TOKEN: token },
    // Whatever calls another machine is told at once that there is none.
    ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
  })
  const program = `'${process.execPath}' '${headsup}'`
  const keep = `tee '${calls}'/"$(date +%s%N)-$$.json"`
  const script = `#!/bin/sh\nif [ $# = 2 ] && [ "$1" = hook ]; then ${keep} | ${program} "$@"; else exec ${program} "$@"; fi\n`
  writeFileSync(join(bin, 'headsup'), script, { mode: 0o755 })
  const branch = `feat/${actor.toLowerCase()}`
  const tree = workTree(root, actor)
  tree.git('clone', '-q', '--no-hardlinks', project, path)
  const git = (...args: string[]) => tree.git('-C', path, ...args)
  git('remote', 'set-url', 'origin', `git@github.com:${repository.owner}/${repository.name}.git`)
  git('config', 'headsup.merge', 'false')
  git('checkout', '-q', '-b', branch)
  return {
    ...{ path, home, branch, env, git },
    headsup: (...args) => run(process.execPath, [headsup, ...args], { cwd: path, env, input: '' }),
    run: (command, args, more = {}) => runGroup(command, args, { cwd: path, env: { ...env, ...more } }),
    payloads: () =>
      readdirSync(calls)
        .sort()
        .map((name) => asRecord(parseJson(readFileSync(join(calls, name), 'utf8')))),
    write(file, text) {
      const to = join(home, file)
      if (!existsSync(dirname(to))) mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, text)
    },
  }
}

type Four = [string, string, string, string]

const limitMs = 180_000

async function runGroup(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<AgentRun> {
  const begin = Date.now()
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (ended.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()))
  const timer = setTimeout(() => endGroup(child), limitMs)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { ...ended, code, ms: Date.now() - begin }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
