import { sortedNumbers } from '../../lib/sorted-numbers.ts'
import type { CollidingProposal, Findings } from '../../rules/findings.ts'
import { mostDescribed } from '../../rules/response/id-limits.ts'
import { issueList } from '../issue-list.ts'
import { joinFirst } from '../join-words.ts'
import { type Message, message } from '../message.ts'

/** The other proposals of the request, by their indexes. */
export function otherProposalLines({ otherProposals }: Findings): Message[] {
  if (!otherProposals) return []
  const { colliding, nearby, nearbyIssues, isWhole } = otherProposals
  const near = proposalList(nearby.map((index) => ({ index })))
  return [
    ...(colliding.length === 0
      ? []
      : [message('collision', `It collides with ${proposalList(colliding)} of the same request.`)]),
    ...(nearby.length === 0
      ? []
      : [message('nearby', `For the same ${issueList(nearbyIssues)}, and no overlap: ${near} of the same request.`)]),
    ...(isWhole ? [] : [message('unknown', 'It was not compared with all other proposals of the request.')]),
  ]
}

/** What to do about the other proposals of the request. */
export function proposalActions({ otherProposals }: Findings): Message[] {
  if (!otherProposals) return []
  const { colliding, isWhole } = otherProposals
  const same = colliding.filter(({ isSameChange }) => isSameChange)
  const forIssue = colliding.filter(({ issues, isSameChange }) => issues.length > 0 && !isSameChange)
  const others = colliding.length - same.length - forIssue.length
  return [
    ...(same.length === 0
      ? []
      : [
          message(
            'advice',
            `Do once what is the same: the change of ${proposalList(same)} is the same, or one is a part of the other.`,
          ),
        ]),
    ...(forIssue.length === 0 ? [] : [message('advice', oneTaskAction(forIssue))]),
    ...(others === 0 ? [] : [message('advice', 'Do these proposals one after the other, or give each its own files.')]),
    ...(isWhole ? [] : [message('advice', 'Send fewer proposals at once, or plainer globs.')]),
  ]
}

/** Other files for each would not help: the tasks are for one issue. */
function oneTaskAction(colliding: readonly CollidingProposal[]): string {
  const issues = sortedNumbers(colliding.flatMap((one) => one.issues))
  return `Give it to one agent together with ${proposalList(colliding)}: they are for the same ${issueList(issues)}.`
}

/** `proposals[0]`, or `proposals[0] and proposals[2]`. */
function proposalList(proposals: readonly { index: number }[]): string {
  return joinFirst(
    proposals.map(({ index }) => `proposals[${index}]`),
    mostDescribed,
  )
}
