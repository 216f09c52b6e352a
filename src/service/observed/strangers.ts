import { pullNumberOf } from '../../core/names.ts'
import type { Context } from '../context.ts'
import { Prisma } from '../db/generated/client.ts'

interface Shown {
  source: string
  pr_url: string | null
}

/** Whether the row `pull` of a statement is of a member: whoever has recorded something here is one. */
export const isOfMember = Prisma.sql`(not pull.is_outsider or exists (
  select from activities as own where own.repository_id = pull.repository_id and own.source = 'recorded'
     and own.author_login = pull.author_login))`

/** Tells of these works which are strangers': pull requests from outside, by accounts that have recorded nothing here. */
export async function strangersAmong({ prisma, repository }: Context, works: readonly Shown[]) {
  const numberOf = ({ source, pr_url }: Shown) => (source === 'pull_request' ? pullNumberOf(pr_url) : null)
  const numbers = works.flatMap((work) => numberOf(work) ?? [])
  const rows =
    numbers.length === 0
      ? []
      : await prisma.$queryRaw<{ number: number }[]>`
          select number from pull_requests as pull
           where pull.repository_id = ${repository.id} and number = any(${numbers}) and ${isOfMember}`
  const ofMembers = new Set(rows.map(({ number }) => number))
  return (work: Shown) => work.source === 'pull_request' && !ofMembers.has(numberOf(work) ?? 0)
}
