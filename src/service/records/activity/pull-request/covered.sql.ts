/**
 * The live recorded activity that covers the observed record of an open pull request (docs/rules.md#covered-work): the
 * newest that is linked to it, else the newest on its head branch without a link. A link from another repository covers
 * nothing.
 */
export function coveringActivity<Recorded extends RecordedWork>(
  pullRequest: CoverablePullRequest,
  recorded: readonly Recorded[],
): Recorded | undefined {
  const own = recorded.filter(({ repository_id }) => repository_id === pullRequest.repository_id)
  const linked = own.filter(
    ({ pr_repository_id, pr_number }) =>
      pr_repository_id === pullRequest.repository_id && pr_number === pullRequest.number,
  )
  const isOwnBranch = pullRequest.head_repository_id === pullRequest.repository_id
  const onBranch = own.filter(({ branch, pr_url }) => isOwnBranch && branch === pullRequest.head_ref && pr_url === null)
  return newest(linked) ?? newest(onBranch)
}

interface CoverablePullRequest {
  repository_id: bigint
  number: number
  head_ref: string
  head_repository_id: bigint | null
}

interface RecordedWork {
  repository_id: bigint
  id: string
  branch: string | null
  pr_url: string | null
  pr_repository_id: bigint | null
  pr_number: number | null
}

function newest<Work extends { id: string }>(works: readonly Work[]): Work | undefined {
  return works.reduce<Work | undefined>(
    (best, work) => (best === undefined || work.id > best.id ? work : best),
    undefined,
  )
}

/**
 * `coveringActivity` in SQL: the id of the covering activity, or null. `pull` is the alias of a row of `pull_requests`, `now`
 * an expression of the instant at which the recorded activity has to be live.
 */
export function coveringActivitySql(pull: string, now: string): string {
  return `coalesce(
    (select recorded.id from (
       select * from activities
        where pr_repository_id = ${pull}.repository_id and pr_number = ${pull}.number offset 0) as recorded
      where ${isLiveSql(pull, now)} order by recorded.id desc limit 1),
    ${newestOnBranchSql(
      `${isLiveSql(pull, now)} and ${pull}.head_repository_id = ${pull}.repository_id and recorded.pr_url is null`,
      `${pull}.head_ref`,
    )})`
}

function isLiveSql(of: string, now: string): string {
  return `recorded.repository_id = ${of}.repository_id and recorded.source = 'recorded'
    and recorded.ended_at is null and recorded.expires_at > ${now}`
}

/**
 * The branch is a range, and sorted by: so only `activities_recorded_branch_idx` has the order. Before the first ANALYZE another index
 * of the repository looks as good, and PostgreSQL would read all of its live work.
 */
function newestOnBranchSql(condition: string, branch: string): string {
  return `(
    select recorded.id from activities as recorded
     where ${condition} and recorded.branch >= ${branch} and recorded.branch <= ${branch}
     order by recorded.branch desc, recorded.id desc limit 1)`
}

/**
 * SQL: the id of the live recorded activity that covers a pushed branch, or null. It is the newest on the branch,
 * whatever it is linked to. `pushed` is the alias of an activity of the source `branch`.
 */
export function coveringBranchWorkSql(pushed: string, now: string): string {
  return newestOnBranchSql(isLiveSql(pushed, now), `${pushed}.branch`)
}
