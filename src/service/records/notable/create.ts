import { AppError, type ErrorDetail } from '../../../core/errors.ts'
import type { Notable, NotableCreate } from '../../../core/schemas/notable.ts'
import { scopeColumns } from '../../../core/scope/columns.ts'
import { isAboutRepository } from '../../../core/scope/is-about-repository.ts'
import type { Context } from '../../context.ts'
import { isId, newRecord } from '../../lib/ids.ts'
import { endedAfter } from '../../lib/retention.ts'
import { changedBy } from '../history/changed-by.ts'
import { type Created, createOnce } from '../idempotency/create-once.ts'
import { rememberRepository } from '../repository/repository-store.ts'
import { findNotable, insertNotable, knownNotables, type NotableRow } from './notables.sql.ts'
import { presentNotable } from './present.ts'

/**
 * Creates a notable. The active notables that it supersedes are archived in the same transaction
 * (docs/rules.md#superseded-notables). Throws `category_not_allowed`, `validation_failed`, `limit_reached`, `idempotency_key_reused`.
 */
export async function createNotable(
  context: Context,
  input: NotableCreate,
  idempotency: string | undefined,
): Promise<Created<Notable>> {
  return createOnce<NotableRow, Notable>(context, idempotency, {
    input,
    prepare: () => newRow(context, input),
    insert: (tx, row) => insertNotable(tx, row, changedBy(context)),
    find: (id) => findNotable(context.db, context.repository.id, id),
    answer: async (row) => presentNotable(row, context.now),
  })
}

async function newRow(context: Context, input: NotableCreate): Promise<NotableRow> {
  const { repository, now, settings } = context
  if (settings.disabled_notable_categories.includes(input.category)) {
    throw new AppError('category_not_allowed', `This repository has disabled the category ${input.category}.`, {
      details: [
        { field: 'category', code: 'invalid_value', message: 'is disabled by the settings of this repository' },
      ],
    })
  }
  await assertKnown(context, input.supersedes)
  const scope = scopeColumns(input.scope)
  const kind = isAboutRepository(scope.areas, scope.paths) ? 'repository notable' : 'notable'
  await context.recordLimiter.assertRoom(repository.id, kind, now)
  await rememberRepository(context.db, repository, now)
  const { id, created_at } = newRecord('ntb', repository.id, now)
  const account = context.viewer.account()
  return {
    repository_id: repository.id,
    id,
    title: input.title,
    summary: input.summary,
    category: input.category,
    importance: input.importance,
    status: 'active',
    decision_url: input.decision_url ?? null,
    supersedes: [...new Set(input.supersedes)],
    applies_until: input.applies_until ?? null,
    ...scope,
    blocking: input.blocking,
    expires_at: new Date(created_at.getTime() + settings.notable_ttl_ms),
    created_at,
    updated_at: created_at,
    archived_at: null,
    ended_at: null,
    author_login: account?.login ?? null,
    author_id: account?.id ?? null,
  }
}

async function assertKnown(context: Context, supersedes: string[]): Promise<void> {
  const possible = supersedes.filter((id) => isId('ntb', id))
  const known =
    possible.length > 0
      ? await knownNotables(context.db, context.repository.id, possible, endedAfter(context))
      : new Set()
  const details = supersedes.flatMap((id, index): ErrorDetail[] =>
    known.has(id)
      ? []
      : [{ field: `supersedes[${index}]`, code: 'invalid_value', message: 'is not a notable of this repository' }],
  )
  const [first] = details
  if (first) throw new AppError('validation_failed', `${first.field}: ${first.message}`, { details })
}
