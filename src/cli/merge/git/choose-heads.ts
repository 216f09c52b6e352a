import { type MergeCandidate, type MergeResult, notTried } from '../merge-result.ts'
import { isBranchName, isCommitId } from './ref-names.ts'

/** A head to be fetched: the full name of its ref, or the id of a commit. */
export interface WantedHead {
  candidate: MergeCandidate
  from: string
}

export interface ChosenHeads {
  /** In the order of the candidates. */
  wanted: WantedHead[]
  /** The results of the others. */
  left: MergeResult[]
}

/** The heads that are tried: the first ones that have a ref, or at least a known commit. */
export function chooseHeads(candidates: readonly MergeCandidate[], target: string, most: number): ChosenHeads {
  const chosen: ChosenHeads = { wanted: [], left: [] }
  for (const candidate of candidates) {
    const from = refOf(candidate)
    if (from === undefined) chosen.left.push(notTried(candidate, 'not_pushed'))
    else if (candidate.base_branch !== null && candidate.base_branch !== target)
      chosen.left.push(notTried(candidate, 'target'))
    else if (chosen.wanted.length >= most) chosen.left.push(notTried(candidate, 'too_many'))
    else chosen.wanted.push({ candidate, from })
  }
  return chosen
}

/** The newest head is tried, so the name of a ref comes before the commit that the service knows. */
function refOf({ number, branch, head_sha }: MergeCandidate): string | undefined {
  if (number !== null && Number.isSafeInteger(number) && number > 0) return `refs/pull/${number}/head`
  if (branch !== null && isBranchName(branch)) return `refs/heads/${branch}`
  return head_sha !== null && isCommitId(head_sha) ? head_sha : undefined
}
