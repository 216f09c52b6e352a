import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { TryReport } from '../../src/cli/merge/try-report.ts'
import type { Doubt } from '../../src/cli/own-work/proposal.ts'
import { run } from '../../src/cli/run.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { Overlap } from '../../src/core/schemas/overlap.ts'
import { commitAll, runGit } from './run-git.ts'
import { type Client, clientOf, type TestService, work } from './service.ts'

/** What `check --json` prints. */
export type CheckAnswer = Overlap & Pick<TryReport, 'merges'> & { doubts: Doubt[] }

export interface Ran {
  code: number
  /** What was printed, without the last line break. */
  out: string
  err: string
}

export interface Clone {
  path: string
  /** Of git, `gh` and Headsup in this clone. */
  env: NodeJS.ProcessEnv
  /** Throws where git fails, and returns its output. */
  git(...args: string[]): string
  write(path: string, content: string): void
  commit(message?: string): string
  /** Runs a command in this process. */
  headsup(args: readonly string[], options?: Partial<Terminal>): Promise<Ran>
  /** The answer of a command with `--json`. */
  json<Answer = CheckAnswer>(args: readonly string[], options?: Partial<Terminal>): Promise<Answer>
  /** Another clone of the same files, of somebody else. */
  copyFor(client: Client): Clone
}

/** A new directory, for one test. Its path has no links. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-clone-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A file of 200 lines, some of them changed. */
export function lines(changed: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 200 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('')
}

let template: string | undefined

/** The files of all clones, committed once a test file. */
function templateOf(): string {
  if (template !== undefined) return template
  const path = mkdtempSync(join(tmpdir(), 'headsup-template-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  for (const name of ['src/auth/login.ts', 'src/cart.ts', 'README.md']) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), lines())
  }
  runGit(path, 'init', '-q', '-b', 'main')
  runGit(path, 'add', '-A')
  runGit(path, 'commit', '-q', '-m', 'Begin')
  runGit(path, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  template = path
  return path
}

/** A clone of the client's repository as GitHub would give it: with a commit on `main`, and `origin/main` there too. */
export function cloneOf(service: Pick<TestService, 'url'>, client: Client): Clone {
  const path = join(newDirectory(), 'clone')
  cpSync(templateOf(), path, { recursive: true })
  const { owner, name } = client.repository
  appendFileSync(join(path, '.git/config'), remoteSection('origin', `https://github.com/${owner}/${name}.git`))
  return openClone(service, client, path)
}

export function remoteSection(name: string, url: string): string {
  return `[remote "${name}"]\n\turl = ${url}\n`
}

/** A clone with a branch and, where lines are given, these changed in src/auth/login.ts and not committed. */
export function workOn(service: Pick<TestService, 'url'>, client: Client, branch: string, changed?: number[]): Clone {
  const clone = cloneOf(service, client)
  beginBranch(clone.path, branch)
  if (changed) clone.write('src/auth/login.ts', lines(Object.fromEntries(changed.map((at) => [at, `by ${branch}`]))))
  return clone
}

/** What `git switch -c` does where `main` is checked out. Most tests begin so, and a process takes its time. */
function beginBranch(path: string, branch: string): void {
  const ref = join('refs/heads', branch)
  mkdirSync(dirname(join(path, '.git', ref)), { recursive: true })
  cpSync(join(path, '.git/refs/heads/main'), join(path, '.git', ref))
  writeFileSync(join(path, '.git/HEAD'), `ref: ${ref}\n`)
}

export function openClone(service: Pick<TestService, 'url'>, client: Client, path: string): Clone {
  const home = newDirectory()
  writeFileSync(
    join(home, '.gitconfig'),
    `[user]\nname = ${client.token}\nemail = a@example.com\n[commit]\ngpgSign = false\n`,
  )
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ HEADSUP_URL: service.url, HEADSUP_TOKEN: client.token },
  }
  const headsup: Clone['headsup'] = async (args, options = {}) => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await run(args, {
      ...{ cwd: path, env, now: Date.now, isInteractive: false, exitCode: 0 },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      signal: new AbortController().signal,
      ...options,
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  const clone: Clone = {
    path,
    env,
    git(...args) {
      const { code, out } = runGit(path, ...args)
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`)
      return out.trim()
    },
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    },
    commit: (message) => commitAll(path, message),
    headsup,
    async json<Answer>(args: readonly string[], options?: Partial<Terminal>) {
      const { code, out, err } = await headsup([...args, '--json'], options)
      if (code > 1) throw new Error(err)
      return JSON.parse(out) as Answer
    },
    copyFor(other) {
      const copy = join(newDirectory(), 'clone')
      cpSync(path, copy, { recursive: true, verbatimSymlinks: true })
      rmSync(join(copy, '.git/headsup'), { recursive: true, force: true })
      return openClone(service, other, copy)
    },
  }
  return clone
}

/** A colleague with rights in the same repository. */
export function colleagueOf(service: Pick<TestService, 'url'>, { repository }: Client, login = 'bob'): Client {
  return clientOf(service, { repository, login })
}

/** Two people with rights in a repository of their own. */
export function aliceAndBob(service: Pick<TestService, 'url'>): [Client, Client] {
  const alice = clientOf(service)
  return [alice, colleagueOf(service, alice)]
}

/** Work of somebody that changes these lines of src/auth/login.ts. Returns its id. */
export async function recordedBy(client: Client, changed: number[][], more: object = {}): Promise<string> {
  const files = [{ path: 'src/auth/login.ts', lines: changed }]
  const { body } = await client.post('/activity', { ...work, branch: 'their', changes: { files }, ...more })
  return body.activity.id
}
