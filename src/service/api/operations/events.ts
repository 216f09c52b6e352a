import { z } from 'zod'
import { flag } from '../../../core/schemas/activity.ts'
import { ListedCollisions, mostSent } from '../../../core/schemas/live.ts'
import { listCollisions } from '../../live/list-collisions.ts'
import { openEventStream } from '../../live/stream.ts'
import { requireActivity } from '../../records/activity/get.ts'
import { defineOperation, ignoredBody, type Operation } from './define.ts'
import { numberUpTo } from './list-page.ts'

const EventsQuery = z.strictObject({
  activity_id: z.string().min(1).optional().describe('Only this activity and its collisions; 404 if there is none.'),
})

const CollisionsQuery = z.strictObject({
  limit: numberUpTo(mostSent, 'The largest number of pairs.').default(mostSent),
  activity_id: z.string().min(1).optional().describe('Only the pairs of this activity.'),
  mine: flag.optional().describe('`true`: only pairs of your account.'),
})

export const eventOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/collisions',
    operationId: 'listCollisions',
    summary: 'List the collisions',
    description:
      'All pairs of live activities that collide, worst first, then newest; at most 500. Only where `truncated` is false there are no others, as far as `observed` says that the open pull requests are known.',
    access: 'read',
    query: CollisionsQuery,
    body: ignoredBody,
    success: 200,
    answer: ListedCollisions,
    async handle(context, { query, liveUpdates, currentSettings }) {
      if (query.activity_id !== undefined) await requireActivity(context, query.activity_id)
      const { limit, activity_id: activityId, mine: isMine = false } = query
      const options = { updates: liveUpdates, activityId, isMine, limit, currentSettings }
      return { status: 200, body: await listCollisions(context, options) }
    },
  }),
  defineOperation({
    method: 'get',
    path: '/events',
    operationId: 'streamEvents',
    summary: 'Stream the events',
    description:
      'Server-sent events: first a `snapshot`, then each `activity`, `notable` and `collision` that changes, `collisions` with all of them, `alive` with moved heartbeats, and `bye` before the service ends the stream. Send the last id as `Last-Event-ID` to get what you missed within the last hour.',
    access: 'read',
    query: EventsQuery,
    body: ignoredBody,
    isStream: true,
    success: 200,
    answer: z.string(),
    async handle(context, { query, lastEventId, waitMs, liveUpdates, currentSettings, mayWrite }) {
      if (query.activity_id !== undefined) await requireActivity(context, query.activity_id)
      const access = (await mayWrite()) ? 'write' : 'read'
      const stream = await openEventStream(context, {
        updates: liveUpdates,
        activityId: query.activity_id,
        lastEventId,
        waitMs,
        currentSettings,
        access,
      })
      return { status: 200, body: '', stream }
    },
  }),
]
