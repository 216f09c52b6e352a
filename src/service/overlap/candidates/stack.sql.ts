import type { LiveFilter, StackedActivity } from '../../../core/rules/candidates/rows.ts'
import { type BranchInfo, relationshipTo } from '../../../core/rules/relationship/relationship.ts'
import { idLimits } from '../../../core/rules/response/id-limits.ts'
import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import type { SqlParams } from '../../db/sql/sql-params.ts'

/** The branches that can link work to other work: the default branch never does. */
export function withoutDefaultBranch({ branch, base_branch }: BranchInfo, defaultBranch: string): BranchInfo {
  return {
    branch: branch === defaultBranch ? null : branch,
    base_branch: base_branch === defaultBranch ? null : base_branch,
  }
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

/** Whether the repository `$1` has work on the branches of these proposals, or based on one. Else none of them has a stack. */
export function hasStackSql(proposals: readonly BranchInfo[], bind: SqlParams): string {
  const condition = 'repository_id = $1 and ended_at is null'
  const exists = ({ branch: column, other }: PairIndex, names: string) => {
    const range = `(${column}, ${other}) >= (start.name, '')`
    const first = firstRow(`${column} = start.name`, { condition, range, order: `${column}, ${other}` })
    return `exists (select from unnest(${names}::text[]) as start(name) where (${first}))`
  }
  const { branches, bases } = branchesOf(proposals)
  const starts = bind(branches)
  return `(${exists(byBranch, starts)} or ${exists(byBranch, bind(bases))} or ${exists(byBase, starts)})`
}

function branchesOf(proposals: readonly BranchInfo[]) {
  return {
    branches: [...new Set(proposals.flatMap(({ branch }) => branch ?? []))],
    bases: [...new Set(proposals.flatMap(({ base_branch }) => base_branch ?? []))],
  }
}

/** The columns of the index of a walk. */
const columns = ({ branch, other }: PairIndex) => `${branch}, ${other}, id`

/**
 * Walks along an index (a loose index scan) from each of the branches `starts(name, follows)`: to the newest activities of each pair, one more than a
 * response lists, to the next pair of the branch, and where `follows` to the branch at the other end. Each step reads one row. It is
 * estimated far below the cost from which PostgreSQL compiles a statement (JIT), since there is one recursion only, and each start has a name.
 */
function walk(name: string, index: PairIndex, starts: string): string {
  // PostgreSQL has no statistics of such an expression. With those of the columns it may expect so few rows that it sorts all.
  const isLive = `case when source = 'recorded' or $4 then greatest(expires_at, $2) > $2 end`
  const condition = `repository_id = $1 and ended_at is null and ${isLive}`
  const order = `${index.branch} desc, ${index.other} desc, id desc`
  const step = (range: string, rest: string, where: string) =>
    `select found.*, ${rest} from (${firstRow(columns(index), { condition, range, order })}) as found(name, other, id)
      where ${where}`
  return `${name}(name, other, id, nth, follows) as (
    select first.* from ${starts}
      cross join lateral (${step(`${index.branch} <= start.name`, '1, start.follows', 'found.name = start.name')}) as first
     where start.name > ''
    union
    select next.* from ${name} as work cross join lateral (
      ${step(
        `(${columns(index)}) < (work.name, work.other, work.id)`,
        'work.nth + 1, work.follows',
        `found.name = work.name and found.other = work.other and work.nth <= ${idLimits.ids} + 1`,
      )}
      union all
      ${step(
        `(${index.branch}, ${index.other}) < (work.name, work.other)`,
        '1, work.follows',
        'found.name = work.name and work.nth = 1',
      )}
      union all
      ${step(
        `${index.branch} <= work.other`,
        '1, true',
        `found.name = work.other and work.nth = 1 and work.follows and work.other not in ('', $3)`,
      )}) as next)`
}

const stacks = `with recursive
    ${walk('upwards', byBranch, '(select unnest($5::text[]), false union all select unnest($6::text[]), true) as start(name, follows)')},
    ${walk('downwards', byBase, '(select unnest($5::text[]), true) as start(name, follows)')}
  select id, name as branch, nullif(other, '') as base_branch from upwards
  union
  select id, nullif(other, ''), name from downwards`

/** A proposal, and the id of its own activity. */
interface StackProposal extends BranchInfo {
  self: string | undefined
}

/** The live activities on the branches of the stacks of these proposals: the newest of each pair of branches. */
export async function loadStacks(
  db: Pick<Database, 'pool'>,
  { repositoryId, now, seesObserved }: LiveFilter,
  proposals: readonly BranchInfo[],
  defaultBranch: string,
): Promise<StackedActivity[]> {
  const { branches, bases } = branchesOf(proposals)
  return readPrepared(db, ['activities'], stacks, [repositoryId, now, defaultBranch, seesObserved, branches, bases])
}

/** Those of the loaded activities that may be the proposal's own or stacked. */
export function stackOf(
  { self, ...branches }: StackProposal,
  loaded: readonly StackedActivity[],
  defaultBranch: string,
): StackedActivity[] {
  const others = loaded.filter(({ id }) => id !== self)
  const relationshipOf = relationshipTo(branches, others, defaultBranch)
  return others.filter((work) => relationshipOf(work) !== undefined)
}
