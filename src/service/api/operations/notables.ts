import {
  ArchivedNotable,
  Notable,
  NotableCreate,
  NotableFilters,
  NotableUpdate,
} from '../../../core/schemas/notable.ts'
import { archiveNotable } from '../../records/notable/archive.ts'
import { createNotable } from '../../records/notable/create.ts'
import { getNotable } from '../../records/notable/get.ts'
import { listNotables } from '../../records/notable/list.ts'
import { notableHistory } from '../../records/notable/read-history.ts'
import { updateNotable } from '../../records/notable/update.ts'
import { createdReply } from './created-reply.ts'
import { defineOperation, ignoredBody, noBody, noQuery, type Operation } from './define.ts'
import { historyOperation } from './history.ts'
import { pageOf, pageParameters, pageReply, pageStart } from './list-page.ts'

const NotableList = NotableFilters.extend(pageParameters)
export const NotablePage = pageOf(Notable)

export const notableOperations: readonly Operation[] = [
  defineOperation({
    method: 'get',
    path: '/notables',
    operationId: 'listNotables',
    summary: 'List the notables',
    description:
      'What to know before starting, newest first. By default the active notables; `status` lists another status.',
    access: 'read',
    query: NotableList,
    body: ignoredBody,
    success: 200,
    answer: NotablePage,
    errors: ['invalid_cursor'],
    async handle(context, { query: { limit, cursor, ...filters }, url }) {
      const scope = { repositoryId: context.repository.id, route: 'notables', filters }
      const page = await listNotables(context, { filters, limit, after: pageStart(cursor, scope) })
      return pageReply(page, scope, url)
    },
  }),
  defineOperation({
    method: 'post',
    path: '/notables',
    operationId: 'createNotable',
    summary: 'Raise a notable',
    description:
      'Tells everyone who works in the repository something that is not tied to a branch. It expires after 7 days by default. The notables that it supersedes are archived with it.',
    access: 'write',
    query: noQuery,
    body: NotableCreate,
    takesIdempotencyKey: true,
    success: 201,
    answer: Notable,
    errors: ['category_not_allowed', 'limit_reached'],
    async handle(context, { body, idempotency }) {
      const created = await createNotable(context, body, idempotency)
      return createdReply(context.repository, `notables/${created.answer.id}`, created)
    },
  }),
  defineOperation({
    method: 'get',
    path: '/notables/:id',
    operationId: 'getNotable',
    summary: 'Read a notable',
    description: 'One notable. Ended notables can be read until they are deleted.',
    access: 'read',
    query: noQuery,
    body: ignoredBody,
    success: 200,
    answer: Notable,
    handle: async (context, { id }) => ({ status: 200, body: await getNotable(context, id) }),
  }),
  defineOperation({
    method: 'patch',
    path: '/notables/:id',
    operationId: 'updateNotable',
    summary: 'Change a notable',
    description: 'Only the fields sent change; `null` clears an optional field.',
    access: 'write',
    query: noQuery,
    body: NotableUpdate,
    success: 200,
    answer: Notable,
    handle: async (context, { id, body }) => ({ status: 200, body: await updateNotable(context, id, body) }),
  }),
  defineOperation({
    method: 'post',
    path: '/notables/:id/archive',
    operationId: 'archiveNotable',
    summary: 'End a notable',
    description: 'Removes the notable from the list. Archiving it again is 200 with the first `archived_at`.',
    access: 'write',
    query: noQuery,
    body: noBody,
    bodyOptional: true,
    success: 200,
    answer: ArchivedNotable,
    handle: async (context, { id }) => ({ status: 200, body: await archiveNotable(context, id) }),
  }),
  historyOperation('/notables', 'notable', notableHistory),
]
