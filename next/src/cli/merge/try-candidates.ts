import type { Overlap } from '../../core/schemas/overlap.ts'
import { type Beside, besideAnswer } from './beside.ts'
import { candidatesOf, isBranchName, maxHeads, type Tried } from './candidates.ts'
import type { Remote } from './fetch-heads.ts'
import { NotTried } from './not-tried.ts'
import { type CloneGit, readOwnWork } from './own-work.ts'
import { limitMs, tryMerges } from './try-merges.ts'

export interface Here {
  git: CloneGit
  /** The top of the work tree. */
  top: string
  /** The files that the work changes, with the old names of renamed ones. */
  paths: ReadonlySet<string>
}

/** Tries the merges with the work of an answer, at most 20 of them and 3 s. What fails is said, and never an error. */
export async function tryCandidates({ git, top, paths }: Here, overlap: Overlap, remote: Remote): Promise<Beside> {
  const all = candidatesOf(overlap)
  if (all.length === 0) return { merges: [], lines: [] }
  const signal = AbortSignal.timeout(limitMs)
  const [candidates, cut] = [all.slice(0, maxHeads), all.slice(maxHeads)]
  const untried = (reason: string) => (from: typeof all) =>
    from.map(({ activity_id }): Tried => ({ activity_id, conflicts: null, reason }))
  const tried = await tryHere().catch((error: unknown) =>
    untried(error instanceof NotTried ? error.message : 'git failed here')(candidates),
  )
  return besideAnswer(overlap, [...tried, ...untried(`only ${maxHeads} are`)(cut)], paths)

  async function tryHere(): Promise<Tried[]> {
    if (process.platform === 'win32') throw new NotTried('not on Windows yet')
    if (!isBranchName(remote.target)) throw new NotTried('the target branch is not known')
    const own = await readOwnWork(
      git,
      top,
      candidates.flatMap((candidate) => candidate.paths),
    )
    return tryMerges(own, candidates, remote, signal)
  }
}
