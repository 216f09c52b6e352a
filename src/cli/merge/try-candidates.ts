import type { StatusEntry } from '../git/status.ts'
import type { WorkTree } from '../git/work-tree.ts'
import { isSafe } from '../service.ts'
import { type Beside, besideAnswer } from './beside.ts'
import { type Answered, type Candidate, candidatesOf, isBranchName, maxHeads, type Tried } from './candidates.ts'
import type { Remote } from './fetch-heads.ts'
import { NotTried } from './not-tried.ts'
import { readOwnWork } from './own-work.ts'
import { limitMs, tryMerges } from './try-merges.ts'

export interface Here {
  tree: WorkTree
  status: readonly StatusEntry[]
  /** The files that the work changes, with the old names of renamed ones. */
  paths: ReadonlySet<string>
}

/** Tries the merges with the work of an answer, at most 20 of them and 3 s. What fails is said, and never an error. */
export async function tryCandidates(here: Here, overlap: Answered, remote: Remote): Promise<Beside> {
  const all = candidatesOf(overlap)
  const [candidates, cut] = [all.slice(0, maxHeads), all.slice(maxHeads)]
  const tried = await tryAll(here, candidates, remote).catch((error: unknown) =>
    untried(candidates, error instanceof NotTried ? error.message : 'git failed here'),
  )
  return besideAnswer(overlap, [...tried, ...untried(cut, `only ${maxHeads} are`)], here.paths)
}

async function tryAll({ tree, status }: Here, candidates: readonly Candidate[], remote: Remote): Promise<Tried[]> {
  if (candidates.length === 0) return []
  const signal = AbortSignal.timeout(limitMs)
  if (process.platform === 'win32') throw new NotTried('not on Windows yet')
  if (!isSafe(remote.url)) throw new NotTried('the token may not be sent without https')
  if (!isBranchName(remote.target)) throw new NotTried('the target branch is not known')
  const theirPaths = candidates.flatMap(({ paths }) => paths)
  return tryMerges(await readOwnWork(tree, status, theirPaths), candidates, remote, signal)
}

function untried(candidates: readonly Candidate[], reason: string): Tried[] {
  return candidates.map(({ activity_id }) => ({ activity_id, conflicts: null, reason }))
}
