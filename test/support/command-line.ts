import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCommand } from './command-server.ts'

/** The built command line, as one file: it starts faster than `dist/cli/main.js`, and is the one that services hand out. */
export const headsup = fileURLToPath(new URL('../../dist/headsup.mjs', import.meta.url))

export interface ProgramResult {
  code: number | null
  out: string
  err: string
}

export interface Clone {
  /** The top of the work tree. */
  path: string
  git(...args: string[]): string
  write(file: string, text?: string): void
  commit(message?: string): void
  /** Runs a command. */
  headsup(args: string[], options?: RunOptions<string>): Promise<ProgramResult>
  /** Runs the command line as a process of its own, for what only that shows. */
  program(args: string[], options?: RunOptions): Promise<ProgramResult>
  shell(command: string, input?: string): Promise<ProgramResult>
}

export interface RunOptions<Input = string | null> {
  env?: Record<string, string>
  /** From the top of the work tree. */
  cwd?: string
  /** Null leaves stdin open. */
  input?: Input
}

/** An environment without the developer's own settings and without a login of `gh`. */
export function environment(home: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GH_CONFIG_DIR: join(home, 'gh'),
    ...more,
  }
}

let hasGit = false

function requireGit(): void {
  if (hasGit) return
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' })
    hasGit = true
  } catch {
    throw new Error('These tests need git on the PATH.')
  }
}

const directories: string[] = []

export function newDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'headsup-cli-')))
  directories.push(path)
  return path
}

/** Removes all temporary directories; for `afterAll`. */
export function removeDirectories(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
  original = undefined
}

/** A work tree whose git and `headsup` run with these variables and without the developer's own settings. */
export function workTree(path: string, actor: string, env: Record<string, string> = {}): Clone {
  requireGit()
  const home = newDirectory()
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\nname = ${actor}\nemail = a@example.com\n[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n`,
  )
  const all = environment(home, env)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, env: all, encoding: 'utf8', stdio: 'pipe' })
  return {
    path,
    git,
    write(file, text = `${Math.random()}\n`) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), text)
    },
    commit(message = 'Work') {
      git('add', '-A')
      git('commit', '-q', '-m', message)
    },
    shell: (command, input = '') => run('sh', ['-c', command], { cwd: path, env: all, input }),
    headsup: (args, { env: more = {}, cwd = '.', input = '' } = {}) =>
      runCommand(args, { cwd: join(path, cwd), env: { ...all, ...more }, input }),
    program: (args, { env: more = {}, cwd = '.', input = '' } = {}) =>
      run(process.execPath, [headsup, ...args], { cwd: join(path, cwd), env: { ...all, ...more }, input }),
  }
}

/** Runs a command without a process of its own. */
export async function runCommand(
  argv: readonly string[],
  { cwd, env, input = '' }: { cwd: string; env: Record<string, string>; input?: string },
): Promise<ProgramResult> {
  const { ended, out, err } = startCommand({ argv, cwd, env, input, program: [process.execPath, headsup] })
  const code = await ended
  return { code, out: out(), err: err() }
}

export async function run(
  program: string,
  args: string[],
  { cwd, env, input }: { cwd: string; env: Record<string, string>; input: string | null },
): Promise<ProgramResult> {
  const child = spawn(program, args, { cwd, env })
  const ended: ProgramResult = { code: null, out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (ended.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()))
  child.stdin.on('error', () => {})
  if (input !== null) child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { ...ended, code }
}

/** A clone that `sharedRepository` copies, since git takes ten times as long to make one. */
let original: string | undefined

function makeOriginal(): string {
  const root = newDirectory()
  const seed = join(root, 'seed')
  mkdirSync(seed)
  const first = workTree(seed, 'Seed')
  first.git('init', '-q')
  first.write('README.md')
  first.write('src/auth/login.ts')
  first.commit()
  const clone = join(root, 'clone')
  first.git('clone', '-q', '--no-hardlinks', seed, clone)
  first.git('-C', clone, 'remote', 'set-url', 'origin', 'git@github.com:OWNER/NAME.git')
  // There is no such repository at GitHub to fetch heads from.
  first.git('-C', clone, 'config', 'headsup.merge', 'false')
  return clone
}

/** Does what `git checkout -b` does on `main`, without starting git: most tests begin with it. */
function checkOutNew(gitDirectory: string, branch: string): void {
  const refs = join(gitDirectory, 'refs/heads')
  mkdirSync(dirname(join(refs, branch)), { recursive: true })
  copyFileSync(join(refs, 'main'), join(refs, branch))
  writeFileSync(join(gitDirectory, 'HEAD'), `ref: refs/heads/${branch}\n`)
}

/** A repository with one commit on `main`, to be cloned any number of times. The URL of `origin` is one on GitHub. */
export function sharedRepository(owner: string, name: string) {
  requireGit()
  original ??= makeOriginal()
  const from = original
  const root = newDirectory()
  let clones = 0
  return {
    /** On a new branch if one is named. */
    clone(actor: string, env: Record<string, string>, branch?: string): Clone {
      const path = join(root, `clone ${++clones}`)
      cpSync(from, path, { recursive: true })
      const config = join(path, '.git/config')
      writeFileSync(config, readFileSync(config, 'utf8').replace('OWNER/NAME', `${owner}/${name}`))
      if (branch) checkOutNew(join(path, '.git'), branch)
      return workTree(path, actor, env)
    },
  }
}

/** What the command prints with `--json`. Throws where it fails or writes an error. */
export async function jsonOf(clone: Pick<Clone, 'headsup'>, ...args: string[]) {
  const { code, out, err } = await clone.headsup([...args, '--json'])
  if (code !== 0 || err !== '') throw new Error(`headsup ${args.join(' ')} exited with ${code}: ${err}`)
  return JSON.parse(out)
}
