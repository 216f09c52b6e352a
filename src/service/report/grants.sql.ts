import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { Repository } from '../records/repository/repository.ts'
import { type RepositoryRow, repositoryIn } from '../records/repository/repository-store.ts'

/** Whether an installation of the App may write check runs. */
export interface ReportGrant {
  mayWriteChecks: boolean
  /** GitHub's page of the installation; null if it is not known. */
  url: string | null
}

/**
 * Saves whether the App may write check runs in these repositories. Check runs begin with pushes since the grant
 * (docs/rules.md#reports). The time is cut to whole seconds, as GitHub's times are.
 */
export async function saveGrant(
  tx: Prisma.TransactionClient,
  repositoryIds: readonly bigint[],
  { mayWriteChecks, url }: ReportGrant,
  since: Date,
): Promise<void> {
  const ids = Prisma.sql`${[...repositoryIds].sort((a, b) => (a < b ? -1 : 1))}::bigint[]`
  await tx.$executeRaw`
    update observed_repositories
       set may_write_checks = ${mayWriteChecks}, installation_url = coalesce(${url}::text, installation_url),
           reports_since = case when ${mayWriteChecks} and not may_write_checks
                                then date_trunc('second', ${since}::timestamptz) else reports_since end,
           suites_set_at = case when ${mayWriteChecks} then suites_set_at end
     where repository_id = any(${ids}) and by_app
       and (may_write_checks <> ${mayWriteChecks} or installation_url is distinct from coalesce(${url}::text, installation_url))`
}

/** Saves that GitHub refuses check runs in this repository. */
export async function revokeGrant(db: Database, repositoryId: bigint): Promise<void> {
  await db.query(
    'update observed_repositories set may_write_checks = false, suites_set_at = null where repository_id = $1',
    [repositoryId],
  )
}

/** Saves when check runs begin, if they have not. */
export async function beginReports(db: Database, repositoryId: bigint, now: Date): Promise<void> {
  await db.query(
    'update observed_repositories set reports_since = $2 where repository_id = $1 and reports_since is null',
    [repositoryId, now],
  )
}

/** The repositories where GitHub still makes check suites of the App by itself, of each owner at most 100. */
export async function findAutomaticSuites(db: Database): Promise<Repository[]> {
  const { rows } = await db.query<RepositoryRow>(
    `select repository_id, owner, name, default_branch from (
       select observed.repository_id, known.owner, known.name, known.default_branch,
              row_number() over (partition by lower(known.owner) order by observed.repository_id) as place
         from observed_repositories as observed join repositories as known on known.repository_id = observed.repository_id
        where observed.by_app and observed.may_write_checks and observed.suites_set_at is null) as unset
      where place <= 100 order by repository_id`,
  )
  return rows.map(repositoryIn)
}

export async function saveSuitesSet(db: Database, repositoryId: bigint, now: Date): Promise<void> {
  await db.query('update observed_repositories set suites_set_at = $2 where repository_id = $1', [repositoryId, now])
}
