import { z } from 'zod'
import { activityStatuses, liveStatuses } from '../../../core/enums.ts'
import type { Remark } from './remark.ts'

const ActivityStatus = z.object({ status: z.enum(activityStatuses) })
const live: readonly string[] = liveStatuses

/**
 * Says that the activity of a heartbeat has ended. Such a heartbeat is no error and extends `expires_at`
 * (docs/rules.md#heartbeats), so a model that sees only the times would believe that the activity is still listed.
 */
export const remarkOnEnded: Remark = {
  description: 'Present if the activity has ended: says so, and what to do.',
  async write(call) {
    const { status } = ActivityStatus.parse((await call('getActivity')).body)
    if (live.includes(status)) return undefined
    return `This activity has ended (status ${status}), and the heartbeat did not revive it: others do not see it. If the work goes on, announce it again with start_activity and use the new id. If it is done, send no more heartbeats.`
  },
}
