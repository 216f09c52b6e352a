import type { Context } from '../context.ts'
import { Prisma } from '../db/generated/client.ts'

interface Authored {
  source: string
  author_login: string | null
}

/** Whether the row `pull` of a statement is of a member: whoever has recorded something here is one. */
export const isOfMember = Prisma.sql`(not pull.is_outsider or exists (
  select from activities as own where own.repository_id = pull.repository_id and own.source = 'recorded'
     and own.author_login = pull.author_login))`

/**
 * Tells of these works which are strangers': pull requests from outside, by accounts that have recorded nothing here. Whose account
 * is gone is one.
 */
export async function strangersAmong({ prisma, repository }: Context, works: readonly Authored[]) {
  const observed = works.filter(({ source }) => source === 'pull_request')
  const logins = [...new Set(observed.flatMap(({ author_login }) => author_login ?? []))]
  const by = { repository_id: repository.id, author_login: { in: logins } }
  const only = { select: { author_login: true }, distinct: ['author_login' as const] }
  const [outsiders, recorders] =
    logins.length === 0
      ? [[], []]
      : await Promise.all([
          prisma.pullRequest.findMany({ where: { ...by, is_outsider: true }, ...only }),
          prisma.activity.findMany({ where: { ...by, source: 'recorded' }, ...only }),
        ])
  const strangers = new Set(outsiders.map(({ author_login }) => author_login))
  for (const { author_login } of recorders) strangers.delete(author_login)
  strangers.add(null)
  return ({ source, author_login }: Authored) => source === 'pull_request' && strangers.has(author_login)
}
