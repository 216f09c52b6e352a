import type { Overlap } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import type { Activity, Notable } from '../db/generated/client.ts'
import { lookAgain, lookAtAll } from './check-runs.ts'

type Changing = Pick<Context, 'prisma' | 'repository' | 'now'>

/** An activity was written: check runs that name it, that it covers, or that its overlap names are looked at again. */
export async function activityChanged(
  { prisma, repository, now }: Changing,
  { id, pr_number }: Pick<Activity, 'id' | 'pr_number'>,
  overlap?: Overlap,
): Promise<void> {
  const met = [...(overlap?.collisions ?? []), ...(overlap?.nearby ?? [])]
  const numbers = [pr_number, ...met.map(({ number }) => number)].filter((number) => number !== null)
  await lookAgain(prisma, repository.id, { ids: [id], numbers }, now())
}

/** A notable was written: one that is blocking or critical concerns every open pull request, another one those that name it. */
export async function notableChanged(
  { prisma, repository, now }: Changing,
  {
    id,
    blocking,
    importance,
    status,
    supersedes,
  }: Pick<Notable, 'id' | 'blocking' | 'importance' | 'status' | 'supersedes'>,
): Promise<void> {
  const isGrave = status === 'active' && (blocking || importance === 'critical')
  if (isGrave) await lookAtAll(prisma, repository.id, now())
  else await lookAgain(prisma, repository.id, { ids: [id, ...supersedes] }, now())
}
