import { notableSeverity } from '../../core/overlap/severity.ts'
import type { Context } from '../context.ts'
import type { Activity, Notable } from '../db/generated/client.ts'
import { retried } from '../db/retry.ts'
import type { Checked } from '../overlap/check.ts'
import { lookAgain, lookAtAll } from './check-runs.ts'

type Changing = Pick<Context, 'prisma' | 'repository' | 'now'>

/** Everything that a check met: its answer shows the first of it. */
export function everyMet({ collisions, nearby }: Checked['decision']) {
  return [...collisions, ...nearby].map(({ activity }) => activity)
}

/** An activity was written: check runs that name it, that it covers, or of work that it meets are looked at again. */
export async function activityChanged(
  { prisma, repository, now }: Changing,
  { id, pr_number }: Pick<Activity, 'id' | 'pr_number'>,
  decision?: Checked['decision'],
): Promise<void> {
  const met = decision ? everyMet(decision) : []
  const numbers = [pr_number, ...met.map(({ number }) => number)].filter((number) => number !== null)
  await retried(() => lookAgain(prisma, repository.id, { ids: [id], numbers }, now()))
}

/** A notable was written: one that is blocking or critical concerns every open pull request, another one those that name it. */
export async function notableChanged(
  { prisma, repository, now }: Changing,
  notable: Pick<Notable, 'id' | 'blocking' | 'importance' | 'status' | 'supersedes'>,
): Promise<void> {
  const { id, blocking, importance, status, supersedes } = notable
  const isGrave = status === 'active' && notableSeverity({ blocking, importance }) === 'high'
  const changed = { ids: [id, ...supersedes] }
  await retried(() =>
    isGrave ? lookAtAll(prisma, repository.id, now()) : lookAgain(prisma, repository.id, changed, now()),
  )
}
