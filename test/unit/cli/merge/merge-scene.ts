import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { locateWorkTree } from '../../../../src/cli/git/locate-work-tree.ts'
import { allGuards, type Guards } from '../../../../src/cli/merge/git/guards.ts'
import type { MergeCandidate, MergeResult, TriedMerges } from '../../../../src/cli/merge/merge-result.ts'
import { type MergeQuestion, tryMerges } from '../../../../src/cli/merge/try-merges.ts'
import { type GitServer, makeParent, serverToken, startGitServer } from '../../../support/git-server.ts'
import { type CleanUp, scratch } from '../../../support/scratch.ts'
import { pullCommits } from './pull-commits.ts'

export interface MergeScene {
  server: GitServer
  /** A new clone, behind the server's `main`. */
  clone(place?: string): TestClone
  /** A clone with options of git. */
  cloneWith(...options: string[]): TestClone
  /** Another work tree of a clone. */
  open(top: string): TestClone
}

export interface TestClone {
  top: string
  home: string
  temporary: string
  git(...args: string[]): string
  write(path: string, content: string | Buffer): void
  /** Makes a program that notes its name where it runs, and returns its path. */
  trap(name: string): string
  /** The programs that ran, each with the command that ran it. */
  ran(): string[]
  /** The names and sizes of all files of the work tree, `.git` and the temporary folder. */
  listing(): string[]
  question(candidates: readonly MergeCandidate[], changes?: Partial<MergeQuestion>): MergeQuestion
  tryAll(candidates: readonly MergeCandidate[], guards?: Guards, changes?: Partial<MergeQuestion>): Promise<TriedMerges>
  /** Tries the pull requests of these numbers. */
  try(numbers: readonly number[], guards?: Guards, changes?: Partial<MergeQuestion>): Promise<Tried>
}

interface Tried {
  target: Awaited<ReturnType<typeof tryMerges>>['target']
  byNumber: Record<number, MergeResult>
}

export const longEnough = { milliseconds: 60_000, heads: 20, bytes: 20_000_000 }

/** The files of `pullCommits`, each with twenty lines. */
export function lines(changes: Record<number, string> = {}, end = '\n'): string {
  return Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}${end}`).join('')
}

export async function prepareMergeScene(cleanUp: CleanUp, initOptions: readonly string[] = []): Promise<MergeScene> {
  const server = await startGitServer(cleanUp, initOptions)
  server.add(pullCommits(initOptions.includes('--object-format=sha256') ? 64 : 40))
  const root = await scratch({ cleanUp })
  let count = 0
  const newPlace = (name = 'clone') => {
    count += 1
    return join(root, `${count}`, name)
  }
  const template = newPlace()
  const cloneWith = (...options: string[]) => {
    const top = newPlace()
    run(root, root, ['clone', '-q', '--single-branch', '-b', 'old', ...options, `file://${server.directory}`, top])
    return openClone(server, top)
  }
  run(root, root, ['clone', '-q', '--single-branch', '-b', 'old', `file://${server.directory}`, template])
  return {
    server,
    cloneWith,
    open: (top) => openClone(server, top),
    clone(name) {
      const top = newPlace(name)
      cpSync(template, top, { recursive: true, verbatimSymlinks: true })
      return openClone(server, top)
    },
  }
}

function openClone(server: GitServer, top: string): TestClone {
  const [home, temporary] = ['home', 'temporary'].map((name) => join(top, '..', `${name}-of-it`)) as [string, string]
  for (const directory of [home, temporary]) mkdirSync(directory, { recursive: true })
  const log = join(home, 'ran')
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const question: TestClone['question'] = (candidates, changes) => {
    const workTree = locateWorkTree({ cwd: top, env: {} })
    if ('refusal' in workTree) throw new Error(workTree.refusal)
    return {
      workTree,
      baseBranch: 'main',
      candidates,
      changedPaths: new Set(),
      source: { transport: 'https', url: server.url, token: serverToken },
      limits: longEnough,
      terminal: { env, signal: new AbortController().signal, platform: 'linux', now: Date.now },
      temporary,
      ...changes,
    }
  }
  return {
    top,
    home,
    temporary,
    question,
    git: (...args) => run(top, home, args),
    write(path, content) {
      writeFileSync(makeParent(join(top, path)), content)
    },
    trap(name) {
      const path = join(home, name)
      writeFileSync(
        path,
        `#!/bin/sh\necho "${name} $(tr '\\0' ' ' 2>/dev/null </proc/$PPID/cmdline)" >>'${log}'\n[ $# -gt 0 ] || exec cat\n`,
      )
      chmodSync(path, 0o755)
      return path
    },
    ran: () => namesIn(log),
    listing: () => [top, temporary].flatMap((directory) => listingOf(directory)),
    tryAll: (candidates, guards, changes) => tryMerges(question(candidates, changes), guards),
    async try(numbers, guards = allGuards, changes = {}) {
      const { target, results } = await tryMerges(question(numbers.map(pull), changes), guards)
      return { target, byNumber: Object.fromEntries(results.map((result) => [Number(result.activity_id), result])) }
    },
  }
}

/** The candidate of a pull request of `pullCommits`. */
export function pull(number: number): MergeCandidate {
  const commit = pullCommits().find(({ ref }) => ref === `refs/pull/${number}/head`)
  const old = Object.entries(commit?.renames ?? {})
  const isNewName = (path: string) => old.some(([, name]) => name === path)
  const files = [
    ...Object.keys(commit?.files ?? {}).flatMap((path) =>
      isNewName(path) ? [] : { path, previous_path: null, is_ignored: false },
    ),
    ...old.map(([previous_path, path]) => ({ path, previous_path, is_ignored: false })),
  ]
  const at = { number, branch: null, head_sha: null, base_branch: 'main' }
  return { activity_id: String(number), ...at, hides_words: false, files }
}

function run(cwd: string, home: string, args: readonly string[]): string {
  const by = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com']
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const { status, stdout, stderr } = spawnSync('git', [...by, ...args], { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function namesIn(log: string): string[] {
  try {
    return readFileSync(log, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

function listingOf(directory: string, from = directory): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(directory, entry.name)
      const here = `${relative(from, path)} ${entry.isDirectory() ? '/' : lstatSync(path).size}`
      return entry.isDirectory() ? [here, ...listingOf(path, from)] : [here]
    })
    .sort()
}
