/**
 * What a server and its data are, as SQL text: it changes with a restart, a failover and a restore, also where a pooler keeps
 * the connections of this process. The table is one that a restore replaces.
 */
export function epochSql(table: string): string {
  return `concat_ws(' ', pg_postmaster_start_time(), '${table}'::regclass::oid, pg_relation_filenode('${table}'))`
}
