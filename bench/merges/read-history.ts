import { setMaxListeners } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGitProcesses } from '../../src/cli/merge/git/git-process.ts'
import { allGuards } from '../../src/cli/merge/git/guards.ts'
import { createStore } from '../../src/cli/merge/git/merge-store.ts'
import { inStore, type StoreGit } from '../../src/cli/merge/git/read-blobs.ts'

/** A pull request that was merged, as the history of the target branch shows it. */
export interface MergedPull {
  number: number
  /** Its commit on the target branch, and that commit's first parent. */
  commit: string
  before: string
  /** Where its commit is among those of the target branch. */
  index: number
  mergedAt: number
  head: string
  /** A merge commit, not a squashed one. */
  isMergeCommit: boolean
  isByGitHub: boolean
  /** Its commits along first parents, newest first. */
  chain: string[]
  files: ReadonlySet<string>
}

export interface Commit {
  parents: string[]
  authoredAt: number
  committedAt: number
}

/** The newest part of a target branch, and the pull requests that were merged into it. */
export interface History {
  at: StoreGit
  tip: string
  pulls: MergedPull[]
  commits: ReadonlyMap<string, Commit>
  /** The first commit of the target branch that contains a commit. */
  landed: ReadonlyMap<string, number>
  /** The commits of the target branch, oldest first, with the files of each. */
  target: readonly { commit: string; files: ReadonlySet<string> }[]
}

const names = [/\(#(\d+)\)$/, /^Merge pull request #(\d+) /]

/** The product's own temporary store over a mirror, in which nothing of the mirror's configuration counts. */
export function openStore(mirror: string): StoreGit {
  const { signal } = new AbortController()
  // Each process listens, and some files are read at once.
  setMaxListeners(0, signal)
  const git = startGitProcesses({ deadline: performance.now() + 7_200_000, signal })
  const clone = {
    top: mirror,
    gitDirectory: mirror,
    objects: join(mirror, 'objects'),
    objectFormat: 'sha1',
    isPartial: false,
    network: [],
    settings: [],
    hasFilters: false,
    version: [2, 39] satisfies [number, number],
  }
  return { git, store: createStore(tmpdir(), clone, allGuards), env: process.env, guards: allGuards }
}

/** What git prints, or nothing where it fails. */
export async function textOf(at: StoreGit, args: readonly string[], input = ''): Promise<string> {
  return (await inStore(at, args, input)).stdout.toString()
}

/** `isCounted` says which files are not ignored. */
export async function readHistory(
  at: StoreGit,
  mirror: string,
  newest: number,
  isCounted: (path: string) => boolean,
): Promise<History> {
  const ofMirror = async (...args: string[]) => textOf(at, [`--git-dir=${mirror}`, ...args])
  const tip = (await ofMirror('rev-parse', 'HEAD')).trim()
  const heads = new Map<number, string>()
  for (const line of linesOf(await ofMirror('for-each-ref', '--format=%(objectname) %(refname)', 'refs/pull/*/head'))) {
    const [id = '', ref = ''] = line.split(' ')
    heads.set(Number(ref.split('/')[2]), id)
  }
  // Without it, finding merge bases takes most of the time.
  await inStore(at, ['commit-graph', 'write', '--stdin-commits'], [...heads.values(), tip].join('\n'))
  const log = ['log', '--first-parent', `-${newest}`]
  const lines = linesOf(await textOf(at, [...log, '--format=%H%x09%P%x09%ct%x09%cn%x09%s', tip])).reverse()
  const filesOf = readFiles(await textOf(at, [...log, '-m', '-M', '-z', '--format=%x01%H', '--name-status', tip]))
  const found = lines.flatMap((line, index) => {
    const [commit = '', parents = '', time = '', committer = '', subject = ''] = line.split('\t')
    const [before, second] = parents.split(' ')
    const [, name] = names.flatMap((pattern) => pattern.exec(subject) ?? [])
    const number = Number(name)
    const head = second ?? heads.get(number)
    if (name === undefined || head === undefined || before === undefined) return []
    const files = new Set([...(filesOf.get(commit) ?? [])].filter(isCounted))
    const isMergeCommit = second !== undefined
    const isByGitHub = committer === 'GitHub'
    return [{ number, commit, before, index, mergedAt: Number(time), head, isMergeCommit, isByGitHub, files }]
  })
  const target = lines.map((line) => {
    const [commit = ''] = line.split('\t')
    return { commit, files: filesOf.get(commit) ?? new Set<string>() }
  })
  const wanted = [...found.map(({ head }) => head), tip, `^${target[0]?.commit}`].join('\n')
  const commits = new Map<string, Commit>()
  for (const line of linesOf(await textOf(at, ['log', '--stdin', '--format=%H|%P|%at|%ct'], wanted))) {
    const [id = '', parents = '', authored, committed] = line.split('|')
    const ids = parents.split(' ').filter((parent) => parent !== '')
    commits.set(id, { parents: ids, authoredAt: Number(authored), committedAt: Number(committed) })
  }
  const landed = landedIn(target, commits)
  const pulls = found
    .map((pull) => ({ ...pull, chain: chainOf(pull, commits, landed) }))
    .filter(({ chain, files }) => chain.length > 0 && files.size > 0 && files.size <= 300)
  return { at, tip, pulls, commits, landed, target }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** With `-z`, git ends names by NUL, and puts a line feed before the first status after a commit. */
function readFiles(output: string): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const block of output.split('\u0001').slice(1)) {
    const [commit = '', ...fields] = block.split('\0').map((field) => field.trim())
    const known = files.get(commit) ?? new Set<string>()
    for (const field of fields) if (field !== '' && !/^[A-Z]\d*$/.test(field)) known.add(field)
    files.set(commit, known)
  }
  return files
}

function landedIn(target: History['target'], commits: ReadonlyMap<string, Commit>): Map<string, number> {
  const landed = new Map<string, number>()
  for (const [index, { commit }] of target.entries()) {
    const open = [commit]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const known = commits.get(id)
      if (!known || landed.has(id)) continue
      landed.set(id, index)
      open.push(...known.parents)
    }
  }
  return landed
}

function chainOf(
  { head, index }: Pick<MergedPull, 'head' | 'index'>,
  commits: ReadonlyMap<string, Commit>,
  landed: ReadonlyMap<string, number>,
): string[] {
  const chain: string[] = []
  for (let id: string | undefined = head; id !== undefined && chain.length < 400; ) {
    const commit = commits.get(id)
    if (!commit || (landed.get(id) ?? Number.POSITIVE_INFINITY) < index) break
    chain.push(id)
    id = commit.parents[0]
  }
  return chain
}
