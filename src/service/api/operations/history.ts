import { z } from 'zod'
import type { Context } from '../../context.ts'
import { HistoryEntry } from '../../records/history/history-entry.ts'
import { defineOperation, ignoredBody, type Operation } from './define.ts'
import { type Page, pageOf, pageParameters, pageReply, pageStart } from './list-page.ts'

const HistoryQuery = z.strictObject(pageParameters)
export const HistoryPage = pageOf(HistoryEntry)

type ReadHistory = (
  context: Context,
  id: string,
  page: { after: string | undefined; limit: number },
) => Promise<Page<HistoryEntry>>

/** The history of one kind of record (docs/rules.md#history). `path` is that of its list. */
export function historyOperation(path: string, kind: 'activity' | 'notable', readHistory: ReadHistory): Operation {
  return defineOperation({
    method: 'get',
    path: `${path}/:id/history`,
    operationId: `${kind}History`,
    summary: `List the changes of ${kind === 'activity' ? 'an activity' : 'a notable'}`,
    description: `Who changed which fields, newest first. Heartbeats, readings and \`changes\` leave no entry. It is kept as long as the ${kind}.`,
    access: 'read',
    query: HistoryQuery,
    body: ignoredBody,
    isNoTool: true,
    success: 200,
    answer: HistoryPage,
    errors: ['invalid_cursor'],
    async handle(context, { id, query: { limit, cursor }, url }) {
      const scope = { repositoryId: context.repository.id, route: 'history', filters: { id } }
      return pageReply(await readHistory(context, id, { limit, after: pageStart(cursor, scope) }), scope, url)
    },
  })
}
