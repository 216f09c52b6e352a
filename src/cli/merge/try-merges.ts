import type { LocatedWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'
import { chooseHeads } from './git/choose-heads.ts'
import { fetchHeads } from './git/fetch-heads.ts'
import type { FetchSource } from './git/fetch-source.ts'
import { type GitProcesses, startGitProcesses } from './git/git-process.ts'
import { allGuards, type Guards } from './git/guards.ts'
import { createStore, type MergeStore, sweepStores } from './git/merge-store.ts'
import { type Clone, readClone } from './git/read-clone.ts'
import { readOwnTree } from './git/read-own-tree.ts'
import { isBranchName } from './git/ref-names.ts'
import { keepMergedFiles } from './kept/keep-merged-files.ts'
import type { KeptPlace } from './kept/kept-files.ts'
import { hasRunOut, keyOfTry, recallTry, saveRanOut, saveTry } from './kept/last-try.ts'
import { type MergeCandidate, type MergeReason, NotTried, notTried, type TriedMerges } from './merge-result.ts'
import { tryEachFile } from './try-files.ts'
import { tryTrees } from './try-trees.ts'

export interface MergeQuestion {
  workTree: LocatedWorkTree
  /** The branch that the work is meant for. */
  baseBranch: string
  /** Closest first. */
  candidates: readonly MergeCandidate[]
  /** The files that the work changes, with the old names of renamed ones. */
  changedPaths: ReadonlySet<string>
  source: FetchSource
  limits: MergeLimits
  terminal: Pick<Terminal, 'env' | 'signal' | 'platform' | 'now'>
  /** The folder for temporary files. */
  temporary: string
  /** Tries file by file, as where git is too old to merge trees. */
  byFile?: boolean
  /** Where the try is remembered, and the files of others are kept for the hooks. */
  place?: KeptPlace | undefined
}

export interface MergeLimits {
  milliseconds: number
  heads: number
  /** Of what is fetched. */
  bytes: number
}

const defaultLimits: MergeLimits = { milliseconds: 3000, heads: 20, bytes: 20_000_000 }

/** The limits, with the time of `HEADSUP_MERGE_LIMIT_MS`. */
export function readMergeLimits({ env }: Pick<Terminal, 'env'>): MergeLimits {
  const text = env.HEADSUP_MERGE_LIMIT_MS ?? ''
  const milliseconds = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : defaultLimits.milliseconds
  return { ...defaultLimits, milliseconds }
}

/**
 * Merges the work tree, and each head of the candidates, into the tip of the target branch, without a trace in the clone
 * (docs/rules.md#tried-merges). What could not be tried has a reason.
 */
export async function tryMerges(question: MergeQuestion, guards: Guards = allGuards): Promise<TriedMerges> {
  const { baseBranch, candidates, limits, terminal, place } = question
  const tried_at = terminal.now()
  const untried = (reason: MergeReason): TriedMerges => ({
    tried_at,
    failure: reason,
    target: { branch: baseBranch, sha: null, merge: 'not_tried', paths: [] },
    results: candidates.map((candidate) => notTried(candidate, reason)),
  })
  if (place && hasRunOut(place, limits.milliseconds, tried_at)) return untried('time')
  const merges = await tryOnce(question, guards).catch((error: unknown) => {
    if (error instanceof NotTried) return untried(error.reason)
    throw error
  })
  const hasEnded = !terminal.signal.aborted && merges.results.some(({ merge_reason }) => merge_reason === 'time')
  if (place && hasEnded) saveRanOut(place, limits.milliseconds, tried_at)
  return merges
}

/** One try, which clears up at its end. Throws `NotTried`. */
async function tryOnce(question: MergeQuestion, guards: Guards): Promise<TriedMerges> {
  const { limits, terminal } = question
  const git = startGitProcesses({ deadline: performance.now() + limits.milliseconds, signal: terminal.signal })
  const open: { store?: MergeStore } = {}
  const clear = () => {
    git.kill()
    open.store?.remove()
  }
  const release = onEndOfProcess(clear)
  try {
    return await tryWith(question, git, guards, (store) => {
      open.store = store
    })
  } finally {
    clear()
    release()
  }
}

async function tryWith(
  { workTree, baseBranch, candidates, changedPaths, source, limits, terminal, temporary, byFile, place }: MergeQuestion,
  git: GitProcesses,
  givenGuards: Guards,
  onStore: (store: MergeStore) => void,
): Promise<TriedMerges> {
  const { env, platform, now } = terminal
  if (platform === 'win32') throw new NotTried('platform')
  sweepStores(temporary, now())
  if (!isBranchName(baseBranch)) throw new NotTried('target')
  const { wanted, left } = chooseHeads(candidates, baseBranch, limits.heads)
  const clone = await readClone(git, workTree, env, givenGuards)
  const guards = { ...givenGuards, isBefore31: !isAtLeast(clone, 31) }
  // In the older form, a key ends at the first of these.
  const isSettable = !guards.isBefore31 || clone.settings.every(([key]) => !key.includes('='))
  if (!isAtLeast(clone, 30) || !isSettable) throw new NotTried('git_version')
  // `merge-tree --stdin` is known from git 2.39 on.
  const byTree = isAtLeast(clone, 39) && !byFile
  const store = createStore(temporary, clone, guards)
  onStore(store)
  const theirPaths = candidates.flatMap(({ files }) => files?.map(({ path }) => path) ?? [])
  const own = await readOwnTree(git, clone, store, guards, env, theirPaths)
  const tried_at = now()
  const key = keyOfTry([own, [...own.leftOut], [...own.filtered], [...changedPaths], baseBranch, candidates, source])
  // Where the service does not know the newest head, it may have moved.
  const isKnown = wanted.every(({ candidate }) => candidate.head_sha !== null)
  const last = place && isKnown ? recallTry(place, key, tried_at) : undefined
  if (last) return last
  store.nameCommits(own.knownCommits)
  const fetched = await fetchHeads(source, baseBranch, wanted, clone, store, {
    git,
    env,
    guards,
    maxBytes: limits.bytes,
  })
  const heads = wanted.map(({ candidate }, index) => ({ candidate, head: fetched.heads[index] }))
  const present = heads.flatMap(({ candidate, head }) => (head === undefined ? [] : { candidate, head }))
  const gone = heads.flatMap(({ candidate, head }) => (head === undefined ? notTried(candidate, 'head_gone') : []))
  const { target: tip } = fetched
  const at = { git, store, env, guards }
  const side = { ...own, tip, mine: own.commit, changedPaths }
  const tries = byTree
    ? await tryTrees(at, present, side, baseBranch, clone.isPartial ? 'partial' : 'too_large')
    : await tryEachFile(at, present, side, baseBranch)
  const results = new Map([...left, ...gone, ...tries.tried].map((result) => [result.activity_id, result]))
  const merges = {
    tried_at,
    failure: null,
    target: tries.target,
    results: candidates.map((candidate) => results.get(candidate.activity_id) ?? notTried(candidate, 'failed')),
  }
  if (place) {
    await keepMergedFiles(at, side, tries, place, tried_at)
    saveTry(place, key, merges)
  }
  return merges
}

function isAtLeast({ version: [major, minor] }: Clone, least: number): boolean {
  return major > 2 || (major === 2 && minor >= least)
}

/** Clears up where a signal or `process.exit` ends this process: git runs in sessions of its own. */
function onEndOfProcess(clear: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const handlers = signals.map((signal) => ({
    signal,
    handle() {
      clear()
      release()
      process.kill(process.pid, signal)
    },
  }))
  const release = () => {
    process.off('exit', clear)
    for (const { signal, handle } of handlers) process.off(signal, handle)
  }
  process.on('exit', clear)
  for (const { signal, handle } of handlers) process.on(signal, handle)
  return release
}
