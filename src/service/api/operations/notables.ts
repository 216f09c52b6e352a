import { Archived } from '../../../core/schemas/activity.ts'
import { Notable, NotableCreate, NotablePage, NotableQuery, NotableUpdate } from '../../../core/schemas/notable.ts'
import { notableChanged } from '../../check-runs/changed.ts'
import { listNotables } from '../../records/list-notables.ts'
import { archiveNotable, createNotable, getNotable, updateNotable } from '../../records/notables.ts'
import { presentArchived, presentNotable } from '../../records/present.ts'
import { asAppError, logFailure } from '../errors.ts'
import { nothing, operation } from '../operation.ts'
import { mostItems, showNotable, showNotables } from './shown.ts'

export const notableOperations = [
  operation({
    id: 'listNotables',
    method: 'get',
    path: '/notables',
    need: 'read',
    summary: 'List the notables',
    input: NotableQuery,
    answer: NotablePage,
    tool: {
      name: 'list_notables',
      description: 'What to know before you start, newest first.',
      takes: ['status', 'importance', 'category', 'area', 'cursor'],
      sends: { limit: String(mostItems) },
      show: showNotables,
    },
    async run(context, query) {
      const { items, next_cursor } = await listNotables(context, query)
      return { items: items.map((row) => presentNotable(row, context.now())), next_cursor }
    },
  }),
  operation({
    id: 'createNotable',
    method: 'post',
    path: '/notables',
    need: 'write',
    status: 201,
    isCreate: true,
    summary: 'Raise a notable',
    input: NotableCreate,
    answer: Notable,
    tool: {
      name: 'raise_notable',
      description: 'Tell everybody something that they must know before they start, such as a freeze or a migration.',
      show: showNotable,
    },
    async run(context, input) {
      const row = await createNotable(context, input)
      // It is there: an error would make callers raise it twice.
      await notableChanged(context, row).catch((error: unknown) => logFailure(context.log, asAppError(error), {}))
      return presentNotable(row, context.now())
    },
  }),
  operation({
    id: 'getNotable',
    method: 'get',
    path: '/notables/:id',
    need: 'read',
    summary: 'Retrieve a notable',
    input: nothing,
    answer: Notable,
    async run(context, _input, { id }) {
      return presentNotable(await getNotable(context, id), context.now())
    },
  }),
  operation({
    id: 'updateNotable',
    method: 'patch',
    path: '/notables/:id',
    need: 'write',
    summary: 'Change a notable',
    input: NotableUpdate,
    answer: Notable,
    async run(context, input, { id }) {
      const row = await updateNotable(context, id, input)
      await notableChanged(context, row)
      return presentNotable(row, context.now())
    },
  }),
  operation({
    id: 'archiveNotable',
    method: 'post',
    path: '/notables/:id/archive',
    need: 'write',
    summary: 'End a notable',
    input: nothing,
    answer: Archived,
    tool: { name: 'archive_notable', description: 'Use this when it no longer holds. May be repeated.' },
    async run(context, _input, { id }) {
      const row = await archiveNotable(context, id)
      await notableChanged(context, row)
      return presentArchived(row)
    },
  }),
]
