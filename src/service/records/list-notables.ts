import type { NotableQuery } from '../../core/schemas/notable.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { Context } from '../context.ts'
import type { Notable, Prisma } from '../db/generated/client.ts'
import { activeNotables, keptNotables } from './notables.ts'
import { type Page, pageOf } from './page.ts'
import { notablePlacesOf } from './places.ts'

/** One page, newest first. The cursor is the last id. */
export async function listNotables(context: Context, query: NotableQuery): Promise<Page<Notable>> {
  const { status, cursor, limit, area, ...equal } = query
  const where: Prisma.NotableWhereInput = {
    ...{ repository_id: context.repository.id, ...withoutUndefined(equal), ...hasStatus(status, context) },
    ...(cursor !== undefined && { id: { lt: cursor } }),
    // By its key, since PostgreSQL folds other letters than JavaScript does.
    ...(area !== undefined && { places: { some: { key: { in: notablePlacesOf({ areas: [area], paths: [] }) } } } }),
  }
  return pageOf(await context.prisma.notable.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 }), limit)
}

/** Without a status the active ones. */
function hasStatus(status: NotableQuery['status'], context: Context): Prisma.NotableWhereInput {
  const [now, kept] = [context.now(), keptNotables(context.purgedUntil())]
  if (status === 'archived') return { status, ...kept }
  if (status === 'expired') return { ...kept, status: 'active', AND: { expires_at: { lte: now } } }
  return activeNotables(now)
}
