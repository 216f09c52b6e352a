import { spawnSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { readStatus } from '../../../../src/cli/git/status.ts'
import { readSurroundings, type WorkTree } from '../../../../src/cli/git/work-tree.ts'
import type { Candidate, Tried } from '../../../../src/cli/merge/candidates.ts'
import type { Remote } from '../../../../src/cli/merge/fetch-heads.ts'
import { mergeCandidates } from '../../../../src/cli/merge/merge-candidates.ts'
import { type OwnSide, readOwnSide } from '../../../../src/cli/merge/own-side.ts'
import { certificateFile, type GitServer, serverToken, startGitServer } from './git-server.ts'
import { pullCommits } from './pull-commits.ts'

export interface Scene {
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
  git(...args: string[]): string
  tree(): Promise<WorkTree>
  ownWork(theirPaths: readonly string[]): Promise<OwnSide>
  write(path: string, content: string | Buffer): void
  /** Makes a program that notes its name where it runs, and returns its path. */
  trap(name: string): string
  /** The programs that ran, each with the command that ran it. */
  ran(): string[]
  /** The names and sizes of all files of the work tree, `.git` and the folder for temporary files. */
  listing(): string[]
  /** Tries the pull requests of these numbers. `id` stands for the number. */
  try(numbers: readonly number[], remote?: Partial<Remote>, signal?: AbortSignal): Promise<Record<string, Tried>>
}

/** The files of `pullCommits`, each with twenty lines. */
export function lines(changes: Record<number, string> = {}, end = '\n'): string {
  return Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}${end}`).join('')
}

/** Prepares a server and clones for the tests of a file. For its top level. */
export function useScene(initOptions: readonly string[] = []): () => Scene {
  let scene: Scene
  const root = mkdtempSync(join(tmpdir(), 'headsup-scene-'))
  beforeAll(async () => {
    process.env.TMPDIR = join(root, 'temporary')
    mkdirSync(process.env.TMPDIR)
    // Git trusts the authority of the server, as behind a company's proxy.
    process.env.GIT_SSL_CAINFO = certificateFile
    const server = await startGitServer(root, initOptions)
    server.add(pullCommits(initOptions.includes('--object-format=sha256') ? 64 : 40))
    scene = sceneOf(server, root)
  })
  afterAll(async () => {
    await scene.server.stop()
    rmSync(root, { recursive: true, force: true })
  })
  return () => scene
}

function sceneOf(server: GitServer, root: string): Scene {
  let count = 0
  const newPlace = (name = 'clone') => join(root, `${++count}`, name)
  const cloneTo = (top: string, options: readonly string[] = []) =>
    run(root, root, ['clone', '-q', '--single-branch', '-b', 'old', ...options, `file://${server.directory}`, top])
  const template = newPlace()
  cloneTo(template)
  return {
    server,
    open: (top) => openClone(server, top),
    cloneWith(...options) {
      const top = newPlace()
      cloneTo(top, options)
      return openClone(server, top)
    },
    clone(name) {
      const top = newPlace(name)
      cpSync(template, top, { recursive: true, verbatimSymlinks: true })
      return openClone(server, top)
    },
  }
}

function openClone(server: GitServer, top: string): TestClone {
  const home = join(top, '..', 'home-of-it')
  mkdirSync(home, { recursive: true })
  const log = join(home, 'ran')
  const clone: TestClone = {
    top,
    home,
    git: (...args) => run(top, home, args),
    tree: async () => treeOf(top, home),
    write(path, content) {
      mkdirSync(dirname(join(top, path)), { recursive: true })
      writeFileSync(join(top, path), content)
    },
    trap(name) {
      const path = join(home, name)
      const note = `echo "${name} $(tr '\\0' ' ' 2>/dev/null </proc/$PPID/cmdline)" >>'${log}'`
      writeFileSync(path, `#!/bin/sh\n${note}\n[ $# -gt 0 ] || exec cat\n`, { mode: 0o755 })
      return path
    },
    ran: () => linesOf(log),
    listing: () => [top, tmpdir()].flatMap((directory) => listingOf(directory)),
    async ownWork(theirPaths) {
      const tree = await clone.tree()
      return readOwnSide(tree, await readStatus(tree), theirPaths)
    },
    async try(numbers, remote, signal = AbortSignal.timeout(60_000)) {
      const candidates = numbers.map((number) => candidateOf(server, number))
      const theirPaths = candidates.flatMap(({ paths }) => paths)
      const own = await clone.ownWork(theirPaths)
      const from = { url: server.url, token: serverToken, target: 'main', ...remote }
      const { tried } = await mergeCandidates(own, candidates, from, signal)
      return Object.fromEntries(tried.map((one) => [one.activity_id, one]))
    },
  }
  return clone
}

/** The candidate of a pull request of `pullCommits`, with the files that it changes. */
export function candidateOf(server: GitServer, number: number): Candidate {
  const ref = `refs/pull/${number}/head`
  const { files = {}, renames = {} } = pullCommits().find((commit) => commit.ref === ref) ?? {}
  const paths = [...Object.keys(files), ...Object.keys(renames)]
  return { activity_id: String(number), head_sha: server.commitOf(ref), paths, hasMore: false }
}

async function treeOf(cwd: string, home: string): Promise<WorkTree> {
  const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const { tree } = await readSurroundings({ cwd, env, signal: new AbortController().signal })
  if (!tree) throw new Error('There is no work tree.')
  return tree
}

function environment(home: string) {
  return { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0' }
}

function run(cwd: string, home: string, args: readonly string[], input = ''): string {
  const by = ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.com']
  const { status, stdout, stderr } = spawnSync('git', [...by, ...args], {
    cwd,
    env: environment(home),
    encoding: 'utf8',
    input,
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

function linesOf(log: string): string[] {
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
