import { StartError } from '../errors.ts'
import type { Database } from './database.ts'

/** Checks that the database belongs to this GitHub server (docs/rules.md#database-start). Throws `StartError`. */
export async function assertSameGithub({ pool }: Database, serverUrl: string): Promise<void> {
  await pool.query(
    `insert into service_facts (name, value, updated_at) values ('github_server_url', to_json($1::text), now())
     on conflict (name) do nothing`,
    [serverUrl],
  )
  const { rows } = await pool.query<{ value: unknown }>(
    `select value from service_facts where name = 'github_server_url'`,
  )
  const known = rows[0]?.value
  if (known === serverUrl) return
  throw new StartError(
    `This database belongs to ${String(known)}, and GITHUB_SERVER_URL is ${serverUrl}. Use another database for another GitHub.`,
  )
}
