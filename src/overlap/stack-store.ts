import type { Database } from '../db/database.ts'
import { readPreparedForSizes } from '../db/prepared.ts'
import { pagesOf } from './candidate-sql.ts'
import type { LiveOf } from './compared-activity.ts'
import type { BranchInfo } from './relationship.ts'
import { mostIds } from './schema.ts'

/** A live activity that may be the caller's own or stacked. */
export interface StackedActivity extends BranchInfo {
  id: string
}

/** What links to other work: the default branch never does. */
export function withoutDefaultBranch({ branch, base_branch }: BranchInfo, defaultBranch: string): BranchInfo {
  return {
    branch: branch === defaultBranch ? null : branch,
    base_branch: base_branch === defaultBranch ? null : base_branch,
  }
}

const live = 'repository_id = $1 and ended_at is null and expires_at > $2 and id is distinct from $3'

/** The columns of an index of unended activities after the repository: a branch and the one on its other side, '' for none; then the id. */
interface PairIndex {
  branch: string
  other: string
}
const byBranch: PairIndex = { branch: `coalesce(branch, '')`, other: `coalesce(base_branch, '')` }
const byBase: PairIndex = { branch: `coalesce(base_branch, '')`, other: `coalesce(branch, '')` }

/**
 * The first row of an index beyond a place. Rows are compared as a whole and one is read at a time, so that PostgreSQL answers it
 * in one step by that index alone, whatever it thinks of the size of a branch.
 */
function firstRow(columns: string, { condition, place, order }: { condition: string; place: string; order: string }) {
  return `select ${columns} from activities where ${condition} and ${place} order by ${order} limit 1`
}

/**
 * The size of the table of activities, in pages, where the repository `$1` has work on these branches or based on the first: a
 * stack begins there. Null where it has none.
 */
export function stackPagesSql(branch: string, base: string): string {
  const condition = 'repository_id = $1 and ended_at is null'
  const isThere = ({ branch: column, other }: PairIndex, name: string) => {
    const place = `(${column}, ${other}) >= (${name}::text, '')`
    const first = firstRow(`${column} = ${name}::text`, { condition, place, order: `${column}, ${other}` })
    return `coalesce((${first}), false)`
  }
  return `case when ${isThere(byBranch, branch)} or ${isThere(byBranch, base)} or ${isThere(byBase, branch)}
    then array[${pagesOf('activities')}] end`
}

/** What is on the other side of a branch, each once, however many activities have the same. */
function otherSides({ branch, other }: PairIndex, name: string): string {
  const next = (place: string) =>
    firstRow(`${branch}, ${other}`, {
      condition: live,
      place: `(${branch}, ${other}) ${place}`,
      order: `${branch}, ${other}`,
    })
  return `(
    with recursive pair(name, other) as (
      (${next(`>= (${name}, '')`)})
      union all
      select following.* from pair cross join lateral (${next('> (pair.name, pair.other)')}) as following where pair.name = ${name})
    select other from pair where name = ${name})`
}

/** The newest activities of a pair of branches, one more than an answer shows. */
function newest({ branch, other }: PairIndex, pair: string): string {
  const order = `${branch} desc, ${other} desc, id desc`
  const next = (place: string) =>
    firstRow(`${branch}, ${other}, id`, { condition: live, place: `(${branch}, ${other}, id) < ${place}`, order })
  const isOfPair = (work: string) => `${work}.name = ${pair}.name and ${work}.other = ${pair}.other`
  return `(
    with recursive work(name, other, id, place) as (
      select first.*, 1 from (${next(`(${pair}.name, ${pair}.other, '~')`)}) as first
      union all
      select following.*, work.place + 1
        from work cross join lateral (${next('(work.name, work.other, work.id)')}) as following
       where ${isOfPair('work')} and work.place <= ${mostIds})
    select id from work where ${isOfPair('work')})`
}

/**
 * The live activities that may be the caller's own or stacked: of each pair of branches in the stack the newest. The stack are
 * the branches that the base leads up to, and those that lead to the proposal's own.
 */
const stack = `with recursive
    up(name) as (
      select $5::text where $5::text is not null
      union
      select base.name from up cross join lateral ${otherSides(byBranch, 'up.name')} as base(name) where base.name not in ('', $6)),
    down(name) as (
      select $4::text where $4::text is not null
      union
      select branch.name from down cross join lateral ${otherSides(byBase, 'down.name')} as branch(name) where branch.name not in ('', $6)),
    placed(name) as (select name from up union select $4::text),
    on_branch(name, other) as (
      select placed.name, base.name from placed cross join lateral ${otherSides(byBranch, 'placed.name')} as base(name)),
    on_base(name, other) as (
      select down.name, branch.name from down cross join lateral ${otherSides(byBase, 'down.name')} as branch(name))
  select work.id, on_branch.name as branch, nullif(on_branch.other, '') as base_branch
    from on_branch cross join lateral ${newest(byBranch, 'on_branch')} as work
  union
  select work.id, nullif(on_base.other, ''), on_base.name
    from on_base cross join lateral ${newest(byBase, 'on_base')} as work`

export async function liveStack(
  { pool }: Pick<Database, 'pool'>,
  { repositoryId, now, self }: LiveOf,
  { branch, base_branch }: BranchInfo,
  { defaultBranch, pages }: { defaultBranch: string; pages: readonly number[] },
): Promise<StackedActivity[]> {
  return readPreparedForSizes(pool, pages, stack, [repositoryId, now, self, branch, base_branch, defaultBranch])
}
