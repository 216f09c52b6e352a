import { z } from 'zod'
import { archiveActivity } from '../activity/archive.ts'
import { createActivity } from '../activity/create.ts'
import { getActivity } from '../activity/get.ts'
import { heartbeatActivity } from '../activity/heartbeat.ts'
import { listActivities } from '../activity/list.ts'
import {
  Activity,
  ActivityCreate,
  ActivityFilters,
  ActivityUpdate,
  ArchivedActivity,
  Heartbeat,
  RetrievedActivity,
} from '../activity/schema.ts'
import { updateActivity } from '../activity/update.ts'
import { checkProposal } from '../overlap/check.ts'
import { Overlap, OverlapCheck } from '../overlap/schema.ts'
import { createdReply } from './created-reply.ts'
import { defineOperation, noBody, noQuery, type Operation, unreadBody } from './define.ts'
import { pageOf, pageParameters, pageReply, pageStart } from './page.ts'

const ActivityList = ActivityFilters.extend(pageParameters)
export const ActivityPage = pageOf(Activity)
export const ActivityCreated = z.object({ activity: Activity, overlap: Overlap })

export const activityOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/activity',
    operationId: 'listActivities',
    summary: 'List the activities',
    description:
      'The work under way, newest first. Ended work is left out, unless `status` names an ended status: that status alone is listed then.',
    access: 'read',
    query: ActivityList,
    body: unreadBody,
    success: 200,
    answer: ActivityPage,
    errors: ['invalid_cursor'],
    async handle(context, { query: { limit, cursor, ...filters }, url }) {
      // `false` restricts nothing, and so is no filter that a cursor could belong to.
      const restricting = { ...filters, draft_pr_only: filters.draft_pr_only || undefined }
      const scope = { repositoryId: context.repository.id, route: 'activity', filters: restricting }
      const page = await listActivities(context, { filters, limit, after: pageStart(cursor, scope) })
      return pageReply(page, scope, url)
    },
  }),
  defineOperation({
    method: 'post',
    path: '/activity',
    operationId: 'createActivity',
    summary: 'Announce work',
    description:
      'Records that you begin, and answers with whatever you may collide with. The overlap is advice: it never refuses the work. The record lives for 24 hours unless the repository says otherwise; heartbeats extend it.',
    access: 'write',
    query: noQuery,
    body: ActivityCreate,
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
      'Compares a proposal with the work under way, and saves nothing. Every field is optional, and the body of a create is taken as it is. An overlap is advice, and the status 200 all the same.',
    access: 'read',
    query: noQuery,
    body: OverlapCheck,
    bodyOptional: true,
    success: 200,
    answer: Overlap,
    handle: async (context, { body }) => ({ status: 200, body: await checkProposal(context, body) }),
  }),
  defineOperation({
    method: 'get',
    path: '/activity/:id',
    operationId: 'getActivity',
    summary: 'Read an activity',
    description: 'One activity, ended ones too until they are deleted, with `pr_reminder_due`.',
    access: 'read',
    query: noQuery,
    body: unreadBody,
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
      'Only the fields sent change; `null` clears a field that may be empty. Answers no overlap: after widening the scope, check again. Anybody who may write to the repository may change anybody’s record.',
    access: 'write',
    query: noQuery,
    body: ActivityUpdate,
    success: 200,
    answer: Activity,
    errors: ['invalid_transition'],
    handle: async (context, { id, body }) => ({ status: 200, body: await updateActivity(context, id, body) }),
  }),
  defineOperation({
    method: 'post',
    path: '/activity/:id/heartbeat',
    operationId: 'heartbeatActivity',
    summary: 'Say that the work goes on',
    description: 'Moves `expires_at` out by the lifetime of activities in this repository. Never revives ended work.',
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
    description: 'Takes the work off the list. Archiving again is 200 with the first `archived_at`.',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    success: 200,
    answer: ArchivedActivity,
    handle: async (context, { id }) => ({ status: 200, body: await archiveActivity(context, id) }),
  }),
]
