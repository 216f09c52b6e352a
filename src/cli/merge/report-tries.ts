import type { StatusEntry } from '../git/status.ts'
import type { WorkTree } from '../git/work-tree.ts'
import { isSafe } from '../service.ts'
import {
  type Answered,
  type Candidate,
  candidatesOf,
  isBranchName,
  maxHeads,
  type Tried,
  type Tries,
} from './candidates.ts'
import type { Remote } from './fetch-heads.ts'
import { mergeCandidates } from './merge-candidates.ts'
import { readOwnSide } from './own-side.ts'
import { NotTried } from './store-git.ts'
import { reportOf, type TryReport } from './try-report.ts'

export interface Here {
  tree: WorkTree
  status: readonly StatusEntry[]
  /** The files that the work changes, with the old names of renamed ones. */
  paths: ReadonlySet<string>
}

const limitMs = 3_000

type FindRemote = (signal: AbortSignal) => Promise<Remote>

/** Tries the merges with the work of an answer, at most 20 of them and 3 s. What fails is said, and never an error. */
export async function reportTries(here: Here, overlap: Answered, findRemote: FindRemote): Promise<TryReport> {
  const all = candidatesOf(overlap)
  const [candidates, cut] = [all.slice(0, maxHeads), all.slice(maxHeads)]
  const isNeeded = candidates.length > 0 || (overlap.reuse_opportunities ?? []).length > 0
  const { tried, ownConflicts } = isNeeded ? await tryCandidates(here, candidates, findRemote) : nothing
  return reportOf(overlap, { tried: [...tried, ...untried(cut, `only ${maxHeads} are`)], ownConflicts }, here.paths)
}

const nothing: Tries = { tried: [], ownConflicts: [] }

async function tryCandidates(here: Here, candidates: readonly Candidate[], findRemote: FindRemote): Promise<Tries> {
  try {
    return await mergeWith(here, candidates, findRemote)
  } catch (error) {
    const reason = error instanceof NotTried ? error.message : 'git failed here'
    return { ...nothing, tried: untried(candidates, reason) }
  }
}

async function mergeWith(
  { tree, status }: Here,
  candidates: readonly Candidate[],
  findRemote: FindRemote,
): Promise<Tries> {
  const signal = AbortSignal.timeout(limitMs)
  if (process.platform === 'win32') throw new NotTried('not on Windows yet')
  const remote = await findRemote(signal).catch(() => {
    throw new NotTried('the service did not answer')
  })
  if (!isSafe(remote.url)) throw new NotTried('the token may not be sent without https')
  if (!isBranchName(remote.target)) throw new NotTried('the target branch is not known')
  const theirPaths = candidates.flatMap(({ paths }) => paths)
  const bounded: WorkTree = { ...tree, git: (args, options) => tree.git(args, { ...options, signal }) }
  const own = await readOwnSide(bounded, status, theirPaths).catch((error: unknown) => {
    throw signal.aborted ? new NotTried('it took too long') : error
  })
  return mergeCandidates(own, candidates, remote, signal)
}

function untried(candidates: readonly Candidate[], reason: string): Tried[] {
  return candidates.map(({ activity_id }) => ({ activity_id, conflicts: null, reason }))
}
