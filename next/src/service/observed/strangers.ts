import type { Context } from '../context.ts'

interface Authored {
  source: string
  author_login: string | null
}

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
