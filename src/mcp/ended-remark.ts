import { z } from 'zod'
import { activityStatuses, liveStatuses } from '../enums.ts'
import type { AskOperation } from './remark.ts'

const Read = z.object({ status: z.enum(activityStatuses) })
const live: readonly string[] = liveStatuses

/**
 * A heartbeat of an ended activity is no error and moves `expires_at` (docs/rules.md#heartbeats). A model that sees
 * only the times would believe that its work is still listed.
 */
export async function remarkOnEnded(ask: AskOperation): Promise<string | undefined> {
  const { status } = Read.parse((await ask('getActivity')).body)
  if (live.includes(status)) return undefined
  return `This activity has ended (status ${status}), and the heartbeat did not revive it: others do not see it. If the work goes on, announce it anew with start_activity and use the new id. If it is done, send no more heartbeats.`
}
