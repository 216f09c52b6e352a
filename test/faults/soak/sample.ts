import { readdir } from 'node:fs/promises'
import { query } from '../../support/query.ts'

/** The memory in bytes, the open files and handles of an instance, and the files in its temporary directory. */
export interface Sample {
  rss: number
  heap: number
  files: number
  handles: number
  temporaryFiles: number
}

const metrics = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
}

/** Reads the metrics of an instance with its metrics token. */
export async function sample(url: string, token: string, directory: string): Promise<Sample> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`metrics answer ${answer.status}`)
  const text = await answer.text()
  const [rss, heap, files, handles] = Object.values(metrics).map((name) => gauge(text, name)) as [
    number,
    number,
    number,
    number,
  ]
  const temporaryFiles = (await readdir(directory, { recursive: true })).length
  return { rss, heap, files, handles, temporaryFiles }
}

/** Open files are reported on Linux only, and are 0 elsewhere. */
function gauge(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  if (value === undefined && name !== metrics.files) throw new Error(`metrics lack ${name}`)
  return Number(value ?? 0)
}

/** The tables whose rows are deleted with their record, their pull request, or after some time. */
export const tables = [
  'activities',
  'activity_changes',
  'change_log',
  'idempotency_keys',
  'notable_scope_keys',
  'notables',
  'pull_request_reports',
  'pull_requests',
  'record_history',
  'report_marks',
  'scope_keys',
  'service_facts',
  'spent_seals',
] as const

export type StoreSample = Record<(typeof tables)[number] | 'connections', number>

/** Counts the rows of each table, and the connections to the database. */
export async function sampleStore(url: string): Promise<StoreSample> {
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const connections = `(select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections`
  const [row] = await query(url, `select ${[...counts, connections].join(', ')}`)
  return row as StoreSample
}

/** Makes a minute as long as the service keeps changes and idempotency keys. */
export async function ageRows(url: string): Promise<void> {
  const age = (table: string, column: string, kept: string) =>
    query(
      url,
      `update ${table} set ${column} = ${column} - interval '${kept}'
        where ${column} between now() - interval '${kept}' and now() - interval '1 minute'`,
    )
  await age('change_log', 'at', '1 hour')
  await age('idempotency_keys', 'created_at', '1 day')
}
