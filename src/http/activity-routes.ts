import { archiveActivity } from '../activity/archive.ts'
import { createActivity } from '../activity/create.ts'
import { getActivity } from '../activity/get.ts'
import { heartbeatActivity } from '../activity/heartbeat.ts'
import { listActivities } from '../activity/list.ts'
import { ActivityCreate, ActivityFilters, ActivityUpdate } from '../activity/schema.ts'
import { updateActivity } from '../activity/update.ts'
import { checkProposal } from '../overlap/check.ts'
import { OverlapCheck } from '../overlap/schema.ts'
import { createdReply } from './created-reply.ts'
import { pageParameters, pageReply, pageStart } from './page.ts'
import { defineRoute, noBody, noQuery, type Route, unreadBody } from './route.ts'

const ActivityList = ActivityFilters.extend(pageParameters)

export const activityRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/activity',
    access: 'read',
    query: ActivityList,
    body: unreadBody,
    async handle(context, { query: { limit, cursor, ...filters }, url }) {
      const scope = { repositoryId: context.repository.id, route: 'activity', filters }
      const page = await listActivities(context, { filters, limit, after: pageStart(cursor, scope) })
      return pageReply(page, scope, url)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/activity',
    access: 'write',
    query: noQuery,
    body: ActivityCreate,
    takesIdempotencyKey: true,
    async handle(context, { body, idempotency }) {
      const created = await createActivity(context, body, idempotency)
      return createdReply(context.repository, `activity/${created.answer.activity.id}`, created)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/activity/check',
    access: 'read',
    query: noQuery,
    body: OverlapCheck,
    bodyOptional: true,
    handle: async (context, { body }) => ({ status: 200, body: await checkProposal(context, body) }),
  }),
  defineRoute({
    method: 'get',
    path: '/activity/:id',
    access: 'read',
    query: noQuery,
    body: unreadBody,
    handle: async (context, { id }) => ({ status: 200, body: await getActivity(context, id) }),
  }),
  defineRoute({
    method: 'patch',
    path: '/activity/:id',
    access: 'write',
    query: noQuery,
    body: ActivityUpdate,
    handle: async (context, { id, body }) => ({ status: 200, body: await updateActivity(context, id, body) }),
  }),
  defineRoute({
    method: 'post',
    path: '/activity/:id/heartbeat',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    handle: async (context, { id }) => ({ status: 200, body: await heartbeatActivity(context, id) }),
  }),
  defineRoute({
    method: 'post',
    path: '/activity/:id/archive',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    handle: async (context, { id }) => ({ status: 200, body: await archiveActivity(context, id) }),
  }),
]
