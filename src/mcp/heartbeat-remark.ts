import { z } from 'zod'
import { activityStatuses, liveStatuses } from '../enums.ts'
import type { Reply } from '../operations/define.ts'

/** Calls another operation on the same record, as the same caller. */
export type CallOperation = (operationId: string) => Promise<Reply>

/** Returns a remark for the result of a tool, or undefined. If it throws, the result has no remark. */
export type Remark = (call: CallOperation) => Promise<string | undefined>

const ActivityStatus = z.object({ status: z.enum(activityStatuses) })
const live: readonly string[] = liveStatuses

/**
 * Says that the activity of a heartbeat has ended. Such a heartbeat is no error and extends `expires_at`
 * (docs/rules.md#heartbeats), so a model that sees only the times would believe that the activity is still listed.
 */
export async function remarkOnEnded(call: CallOperation): Promise<string | undefined> {
  const { status } = ActivityStatus.parse((await call('getActivity')).body)
  if (live.includes(status)) return undefined
  return `This activity has ended (status ${status}), and the heartbeat did not revive it: others do not see it. If the work goes on, announce it again with start_activity and use the new id. If it is done, send no more heartbeats.`
}
