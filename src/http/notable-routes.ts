import { archiveNotable } from '../notable/archive.ts'
import { createNotable } from '../notable/create.ts'
import { getNotable } from '../notable/get.ts'
import { listNotables } from '../notable/list.ts'
import { NotableCreate, NotableFilters, NotableUpdate } from '../notable/schema.ts'
import { updateNotable } from '../notable/update.ts'
import { createdReply } from './created-reply.ts'
import { pageParameters, pageReply, pageStart } from './page.ts'
import { defineRoute, noBody, noQuery, type Route, unreadBody } from './route.ts'

const NotableList = NotableFilters.extend(pageParameters)

export const notableRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/notables',
    access: 'read',
    query: NotableList,
    body: unreadBody,
    async handle(context, { query: { limit, cursor, ...filters }, url }) {
      const scope = { repositoryId: context.repository.id, route: 'notables', filters }
      const page = await listNotables(context, { filters, limit, after: pageStart(cursor, scope) })
      return pageReply(page, scope, url)
    },
  }),
  defineRoute({
    method: 'post',
    path: '/notables',
    access: 'write',
    query: noQuery,
    body: NotableCreate,
    takesIdempotencyKey: true,
    async handle(context, { body, idempotency }) {
      const created = await createNotable(context, body, idempotency)
      return createdReply(context.repository, `notables/${created.answer.id}`, created)
    },
  }),
  defineRoute({
    method: 'get',
    path: '/notables/:id',
    access: 'read',
    query: noQuery,
    body: unreadBody,
    handle: async (context, { id }) => ({ status: 200, body: await getNotable(context, id) }),
  }),
  defineRoute({
    method: 'patch',
    path: '/notables/:id',
    access: 'write',
    query: noQuery,
    body: NotableUpdate,
    handle: async (context, { id, body }) => ({ status: 200, body: await updateNotable(context, id, body) }),
  }),
  defineRoute({
    method: 'post',
    path: '/notables/:id/archive',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    handle: async (context, { id }) => ({ status: 200, body: await archiveNotable(context, id) }),
  }),
]
