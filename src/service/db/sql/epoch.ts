/**
 * SQL: a text that identifies the server and its data. It changes with a restart, a failover and a restore, even if a
 * pooler keeps the connections of this process open. A restore replaces the table, and so its ids.
 */
export function epochSql(table: string): string {
  return `concat_ws(' ', pg_postmaster_start_time(), '${table}'::regclass::oid, pg_relation_filenode('${table}'))`
}
