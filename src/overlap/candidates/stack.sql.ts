import type { Database } from '../../db/database.ts'
import { readPreparedForSizes } from '../../db/prepared.ts'
import { listFor } from '../../lib/maps.ts'
import type { BranchInfo } from '../relationship/relationship.ts'
import { mostIds } from '../schema.ts'
import { pagesOf } from './find-by-index.sql.ts'
import type { LiveFilter, StackedActivity } from './rows.ts'

/** The branches that can link work to other work: the default branch never does. */
export function withoutDefaultBranch({ branch, base_branch }: BranchInfo, defaultBranch: string): BranchInfo {
  return {
    branch: branch === defaultBranch ? null : branch,
    base_branch: base_branch === defaultBranch ? null : base_branch,
  }
}

/** The columns of the proposal, as SQL. */
interface StackParams {
  self: string
  branch: string
  base: string
}

/** Two columns of an index of unended activities: a branch and the branch at its other end, '' for none. The id follows them. */
interface PairIndex {
  branch: string
  other: string
}
const byBranch: PairIndex = { branch: `coalesce(branch, '')`, other: `coalesce(base_branch, '')` }
const byBase: PairIndex = { branch: `coalesce(base_branch, '')`, other: `coalesce(branch, '')` }

/**
 * The first row of an index in a range. The range compares whole rows and the limit is 1, so that PostgreSQL takes one step in that
 * index, however many activities it expects a branch to have.
 */
function firstRow(columns: string, { condition, range, order }: { condition: string; range: string; order: string }) {
  return `select ${columns} from activities where ${condition} and ${range} order by ${order} limit 1`
}

/**
 * The size of the table of activities in pages. Null if the repository `$1` has no work on these branches and none based on the
 * first: then there is no stack.
 */
export function stackPagesSql(branch: string, base: string): string {
  const condition = 'repository_id = $1 and ended_at is null'
  const exists = ({ branch: column, other }: PairIndex, name: string) => {
    const range = `(${column}, ${other}) >= (${name}::text, '')`
    const first = firstRow(`${column} = ${name}::text`, { condition, range, order: `${column}, ${other}` })
    return `coalesce((${first}), false)`
  }
  return `case when ${exists(byBranch, branch)} or ${exists(byBranch, base)} or ${exists(byBase, branch)}
    then array[${pagesOf('activities')}] end`
}

/**
 * The statement for a proposal with these columns. Its other parameters: `$1` the repository, `$2` the time, `$3` the
 * default branch, `$4` whether observed work is seen.
 */
function stackSql({ self, branch, base }: StackParams): string {
  const live = `repository_id = $1 and ended_at is null and expires_at > $2 and id is distinct from ${self}
    and (source = 'recorded' or $4)`

  /** The branches at the other end of the activities of a branch. Takes one step per branch, however many activities it has. */
  function otherEnds({ branch, other }: PairIndex, name: string): string {
    const next = (range: string) =>
      firstRow(`${branch}, ${other}`, {
        condition: live,
        range: `(${branch}, ${other}) ${range}`,
        order: `${branch}, ${other}`,
      })
    return `(
      with recursive pair(name, other) as (
        (${next(`>= (${name}, '')`)})
        union all
        select following.* from pair cross join lateral (${next('> (pair.name, pair.other)')}) as following where pair.name = ${name})
      select other from pair where name = ${name})`
  }

  /** The newest activities of a pair of branches, one more than a response lists. */
  function newest({ branch, other }: PairIndex, pair: string): string {
    const order = `${branch} desc, ${other} desc, id desc`
    const next = (end: string) =>
      firstRow(`${branch}, ${other}, id`, { condition: live, range: `(${branch}, ${other}, id) < ${end}`, order })
    const isOfPair = (work: string) => `${work}.name = ${pair}.name and ${work}.other = ${pair}.other`
    return `(
      with recursive work(name, other, id, position) as (
        select first.*, 1 from (${next(`(${pair}.name, ${pair}.other, '~')`)}) as first
        union all
        select following.*, work.position + 1
          from work cross join lateral (${next('(work.name, work.other, work.id)')}) as following
         where ${isOfPair('work')} and work.position <= ${mostIds})
      select id from work where ${isOfPair('work')})`
  }

  return `with recursive
      up(name) as (
        select ${base}::text where ${base}::text is not null
        union
        select base.name from up cross join lateral ${otherEnds(byBranch, 'up.name')} as base(name) where base.name not in ('', $3)),
      down(name) as (
        select ${branch}::text where ${branch}::text is not null
        union
        select branch.name from down cross join lateral ${otherEnds(byBase, 'down.name')} as branch(name) where branch.name not in ('', $3)),
      upwards(name) as (select name from up union select ${branch}::text),
      on_branch(name, other) as (
        select upwards.name, base.name from upwards cross join lateral ${otherEnds(byBranch, 'upwards.name')} as base(name)),
      on_base(name, other) as (
        select down.name, branch.name from down cross join lateral ${otherEnds(byBase, 'down.name')} as branch(name))
    select work.id, on_branch.name as branch, nullif(on_branch.other, '') as base_branch
      from on_branch cross join lateral ${newest(byBranch, 'on_branch')} as work
    union
    select work.id, nullif(on_base.other, ''), on_base.name
      from on_base cross join lateral ${newest(byBase, 'on_base')} as work`
}

/**
 * The live activities that may be the caller's own or stacked: the newest of each pair of branches in the stack. The stack
 * consists of the ancestors of the proposal's base (`up`) and the descendants of the proposal's branch (`down`).
 */
const stack = stackSql({ self: '$5', branch: '$6', base: '$7' })

/** The same for several stored activities. */
const stacks = `select proposal.self, stacked.*
  from unnest($5::text[], $6::text[], $7::text[]) as proposal(self, branch, base)
    cross join lateral (${stackSql({ self: 'proposal.self', branch: 'proposal.branch', base: 'proposal.base' })}) as stacked`

interface StackOptions {
  defaultBranch: string
  pages: readonly number[]
}

export async function loadStack(
  db: Pick<Database, 'pool'>,
  { repositoryId, now, self, seesObserved }: LiveFilter,
  { branch, base_branch }: BranchInfo,
  { defaultBranch, pages }: StackOptions,
): Promise<StackedActivity[]> {
  const values = [repositoryId, now, defaultBranch, seesObserved, self, branch, base_branch]
  return readPreparedForSizes(db, pages, stack, values)
}

/** What `loadStack` loads for each of several stored activities, by their ids. */
export async function loadStacks(
  db: Pick<Database, 'pool'>,
  { repositoryId, now, seesObserved }: Omit<LiveFilter, 'self'>,
  proposals: readonly (BranchInfo & { self: string })[],
  { defaultBranch, pages }: StackOptions,
): Promise<Map<string, StackedActivity[]>> {
  const each = [
    proposals.map(({ self }) => self),
    proposals.map(({ branch }) => branch),
    proposals.map(({ base_branch }) => base_branch),
  ]
  const values = [repositoryId, now, defaultBranch, seesObserved, ...each]
  const rows = await readPreparedForSizes<StackedActivity & { self: string }>(db, pages, stacks, values)
  const found = new Map<string, StackedActivity[]>()
  for (const { self, id, branch, base_branch } of rows) listFor(found, self).push({ id, branch, base_branch })
  return found
}
