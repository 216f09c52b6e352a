import type pg from 'pg'
import { connect } from '../../support/query.ts'
import type { Snapshot, StoredActivity, StoredNotable } from '../history/snapshot.ts'

/** Reads the rows of one repository, and the deliveries of all repositories. */
export async function readSnapshot(url: string, repositoryId: bigint): Promise<Snapshot> {
  const client = await connect(url)
  const rows = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(`${sql} where repository_id = $1`, [repositoryId.toString()])).rows
  try {
    return {
      activities: await rows<StoredActivity>(
        `select id, title, source, status, archived_at::text as "archivedAt", paths from activities`,
      ),
      notables: await rows<StoredNotable>(
        `select id, title, status, archived_at::text as "archivedAt", supersedes from notables`,
      ),
      scopeKeys: await rows(`select activity_id as "activityId" from scope_keys`),
      notableScopeKeys: await rows(`select notable_id as "notableId" from notable_scope_keys`),
      idempotencyKeys: await rows(`select record_id as "recordId" from idempotency_keys`),
      deliveries: (await client.query<{ guid: string }>('select guid from webhook_deliveries')).rows,
    }
  } finally {
    await client.end()
  }
}
