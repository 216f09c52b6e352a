import { z } from 'zod'
import {
  Activity,
  ActivityCreate,
  ActivityFilters,
  ActivityUpdate,
  ArchivedActivity,
  flag,
  Heartbeat,
  RetrievedActivity,
} from '../../../core/schemas/activity.ts'
import { Observed } from '../../../core/schemas/observation.ts'
import { BatchCheck, BatchOverlap, Overlap, OverlapCheck } from '../../../core/schemas/overlap.ts'
import { checkProposal, checkTasks } from '../../overlap/check-proposal.ts'
import { archiveActivity } from '../../records/activity/archive.ts'
import { getActivity } from '../../records/activity/get.ts'
import { heartbeatActivity } from '../../records/activity/heartbeat.ts'
import { activityHistory } from '../../records/activity/read-history.ts'
import { createActivity } from './create-activity.ts'
import { createdReply } from './created-reply.ts'
import { defineOperation, ignoredBody, noBody, noQuery, type Operation } from './define.ts'
import { historyOperation } from './history.ts'
import { listActivities } from './list-activities.ts'
import { pageOf, pageParameters, pageReply, pageStart } from './list-page.ts'
import { updateActivity, updateAndCheck } from './update-activity.ts'

const ActivityList = ActivityFilters.extend(pageParameters)
export const ActivityPage = pageOf(Activity).extend({ observed: Observed })
export const ActivityCreated = z.object({ activity: Activity, overlap: Overlap })

const BodyWithChanges = z.object({ changes: z.object({}) })

function hasChanges(json: unknown): boolean {
  return BodyWithChanges.safeParse(json).success
}

const UpdateQuery = z.strictObject({
  overlap: flag.optional().describe('`true`: the response is `{activity, overlap}`. `false`: the activity alone.'),
})

export const activityOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/activity',
    operationId: 'listActivities',
    summary: 'List the activities',
    description:
      'Live activities, newest first: recorded ones, and the open pull requests and pushed branches that nobody recorded. If `status` is an ended status, only activities of that status are listed.',
    access: 'read',
    query: ActivityList,
    body: ignoredBody,
    success: 200,
    answer: ActivityPage,
    errors: ['invalid_cursor'],
    async handle(context, { query: { limit, cursor, ...filters }, url }) {
      // `false` is no restriction, so it is not part of the cursor.
      const { draft_pr_only, mine } = filters
      const restricting = { ...filters, draft_pr_only: draft_pr_only || undefined, mine: mine || undefined }
      const scope = { repositoryId: context.repository.id, route: 'activity', filters: restricting }
      const page = await listActivities(context, { filters, limit, after: pageStart(cursor, scope) })
      const reply = pageReply(page, scope, url)
      return { ...reply, body: { ...reply.body, observed: page.observed } }
    },
  }),
  defineOperation({
    method: 'post',
    path: '/activity',
    operationId: 'createActivity',
    summary: 'Announce work',
    description:
      'Creates an activity and returns it with its overlap. The overlap is advice: it never prevents the create. The activity expires after 24 hours by default; heartbeats extend it.',
    access: 'write',
    query: noQuery,
    body: ActivityCreate,
    mayBeLarge: hasChanges,
    takesIdempotencyKey: true,
    success: 201,
    answer: ActivityCreated,
    errors: ['limit_reached'],
    async handle(context, { body, idempotency }) {
      const created = await createActivity(context, body, idempotency)
      return createdReply(context.repository, `activity/${created.answer.activity.id}`, created)
    },
  }),
  defineOperation({
    method: 'post',
    path: '/activity/check',
    operationId: 'checkOverlap',
    summary: 'Check for overlap',
    description:
      'Compares a proposal with the work in progress, and saves nothing. Every field is optional, and the body of a create is accepted too. An overlap is advice; the status is always 200.',
    access: 'read',
    query: noQuery,
    body: OverlapCheck,
    mayBeLarge: hasChanges,
    bodyOptional: true,
    success: 200,
    answer: Overlap,
    handle: async (context, { body }) => ({ status: 200, body: await checkProposal(context, body) }),
  }),
  defineOperation({
    method: 'post',
    path: '/activity/check/batch',
    operationId: 'checkTasks',
    summary: 'Check many tasks',
    description:
      'Compares 2 to 50 proposals with the work in progress and with one another, and saves nothing: which of them may run side by side. Each is the body of a check.',
    access: 'read',
    query: noQuery,
    body: BatchCheck,
    mayBeLarge: () => true,
    success: 200,
    answer: BatchOverlap,
    handle: async (context, { body }) => ({ status: 200, body: await checkTasks(context, body) }),
  }),
  defineOperation({
    method: 'get',
    path: '/activity/:id',
    operationId: 'getActivity',
    summary: 'Read an activity',
    description: 'One activity, with `pr_reminder_due`. Ended activities can be read until they are deleted.',
    access: 'read',
    query: noQuery,
    body: ignoredBody,
    success: 200,
    answer: RetrievedActivity,
    handle: async (context, { id }) => ({ status: 200, body: await getActivity(context, id) }),
  }),
  defineOperation({
    method: 'patch',
    path: '/activity/:id',
    operationId: 'updateActivity',
    summary: 'Change an activity',
    description:
      'Only the fields sent change; `null` clears an optional field. With `overlap=true` the response is that of a create, with the overlap after the change. Anyone who may write to the repository may change every record.',
    access: 'write',
    query: UpdateQuery,
    body: ActivityUpdate,
    mayBeLarge: hasChanges,
    success: 200,
    answer: Activity,
    answerByQuery: ActivityCreated,
    errors: ['invalid_transition', 'observed'],
    handle: async (context, { id, query, body }) => ({
      status: 200,
      body: await (query.overlap ? updateAndCheck : updateActivity)(context, id, body),
    }),
  }),
  defineOperation({
    method: 'post',
    path: '/activity/:id/heartbeat',
    operationId: 'heartbeatActivity',
    summary: 'Say that the work goes on',
    description:
      'Sets `expires_at` to the lifetime of activities from now, up to the cap. Never revives an ended activity.',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    success: 200,
    answer: Heartbeat,
    handle: async (context, { id }) => ({ status: 200, body: await heartbeatActivity(context, id) }),
  }),
  defineOperation({
    method: 'post',
    path: '/activity/:id/archive',
    operationId: 'archiveActivity',
    summary: 'End an activity',
    description: 'Removes the activity from the list. Archiving it again is 200 with the first `archived_at`.',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    success: 200,
    answer: ArchivedActivity,
    handle: async (context, { id }) => ({ status: 200, body: await archiveActivity(context, id) }),
  }),
  historyOperation('/activity', 'activity', activityHistory),
]
