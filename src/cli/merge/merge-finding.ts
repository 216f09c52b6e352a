import { quoted } from '../../core/texts/quote.ts'
import { type Finding, note, ok } from '../doctor-report.ts'
import type { Bases } from '../git/base-branch.ts'
import { reasons } from './answer/describe-merges.ts'
import { describeLog, readMergeLog } from './merge-log.ts'
import { type MergeContext, targetOf, tryHere } from './try-candidates.ts'

const name = 'merges'

/** Whether merges can be tried in this work tree, and why not: by a try without the work of anybody else. */
export async function mergeFinding(context: MergeContext, bases: Bases): Promise<Finding[]> {
  const { terminal } = context
  const { failure } = await tryHere(context, [], bases)
  const log = describeLog(readMergeLog(terminal), terminal.now())
  const counted = log === undefined ? [] : [note(name, log)]
  const target = targetOf(bases)
  if (failure === null) return [ok(name, 'the merge with the work of others can be tried here.'), ...counted]
  if (failure === 'off') return [note(name, 'trying them is switched off here, by git config headsup.merge.')]
  const unknown = 'git knows no default branch of the remote here, which `git remote set-head origin --auto` tells it'
  if (failure === 'target' && target === '') return [note(name, `not tried now: ${unknown}.`), ...counted]
  const why = failure === 'target' ? `the remote has no branch ${quoted(target)}` : reasons[failure]
  return [note(name, `they cannot be tried here, so lines alone decide: ${why}.`), ...counted]
}
