import { isLiveStatus } from '../../core/enums.ts'
import { type Decision, decide } from '../../core/overlap/decide.ts'
import type { Overlap, OverlapCheck } from '../../core/schemas/overlap.ts'
import type { Observation } from '../../core/texts/answer.ts'
import type { Context } from '../context.ts'
import type { Activity } from '../db/generated/client.ts'
import { asOf } from '../records/lifecycle.ts'
import { answerOf } from './answer.ts'
import type { Reader } from './candidates.ts'
import { type Facts, type FoundNotable, notableFactsOf } from './facts.ts'
import { findOthers, notablesFor, stackOf } from './find-others.ts'
import { type Proposed, proposalOf, proposalOfRecord } from './proposal.ts'
import { reuseOf } from './reuse.ts'
import { atMostTwo } from './turnstile.ts'

/** What was found, and the answer, which shows the first of it. */
export interface Checked {
  overlap: Overlap
  decision: Decision<Facts, FoundNotable>
}

/** Who asks, as far as the check of a record needs to know. */
export type CheckContext = Pick<
  Context,
  'pool' | 'repository' | 'settings' | 'now' | 'tokenKey' | 'seesPulls' | 'observe'
>

/** A check creates nothing. With `activity_id` the caller's own record stands in for what is not sent. */
export async function checkProposal(context: Context, input: OverlapCheck): Promise<Overlap> {
  return (await check(context, 'wait', (reader) => proposalOf(context, reader, input), true)).overlap
}

/**
 * Checks a record, a caller's or an open pull request: by statements that began after its commit, so that of two that are written
 * at once one sees the other. With `wait` it may wait for the pull requests to be read.
 */
export function checkRecord(context: CheckContext, row: Activity, wait?: 'wait'): Promise<Checked> {
  return check(context, wait, (reader) => proposalOfRecord(context, reader, row), false)
}

async function check(
  context: CheckContext,
  wait: 'wait' | undefined,
  find: (reader: Reader) => Promise<Proposed>,
  isNamed: boolean,
): Promise<Checked> {
  const observed = await context.observe(wait)
  return atMostTwo(context.tokenKey, async () => {
    // Its time is that of the comparison: the turn may have come late.
    const reader = await readerOf(context)
    return answer(context, reader, observed, await find(reader), isNamed)
  })
}

/** Who asks, and what is shown: where pull requests are not observed, what was seen of them before is not either. */
export async function readerOf({ pool, repository, settings, now, seesPulls }: CheckContext): Promise<Reader> {
  return { pool, repository, now: now(), seesPulls: settings.values.enabled && (await seesPulls()) }
}

async function answer(
  { repository, settings }: CheckContext,
  reader: Reader,
  observed: Observation,
  { proposal, own }: Proposed,
  isNamed: boolean,
): Promise<Checked> {
  const { rules } = settings
  const { now } = reader
  const [found, notables] = await Promise.all([
    findOthers(reader, rules, proposal, own?.id ?? null),
    notablesFor(reader, proposal.work, rules),
  ])
  const { others, merged, cut, isWideCut } = found
  const stack = await stackOf(reader, proposal, others)
  const decision = await decide({
    proposal,
    others,
    notables: notables.map((row) => notableFactsOf(row, rules)),
    ...{ stack, cut, isWideCut, observed, defaultBranch: repository.defaultBranch },
  })
  const reuse = await reuseOf(proposal.work, merged)
  const record = own && asOf(own, now)
  const overlap = answerOf({
    ...{ decision, proposal, now, observed, reuse },
    ownId: isNamed && record && isLiveStatus(record.status) ? record.id : null,
    ownBeganAt: own?.began_at ?? null,
    ownEndedAs: record && !isLiveStatus(record.status) ? endWords(record) : null,
  })
  return { overlap, decision }
}

function endWords({ status, archived_reason }: Activity): string {
  if (archived_reason === 'expired') return 'has expired'
  if (archived_reason === 'branch_deleted') return 'was archived when its branch was deleted'
  return `was ${archived_reason === 'merged' ? 'merged' : status}`
}
