import pg from 'pg'

type Rows = Record<string, unknown>[]

/** Runs one query on a new connection and returns its rows. */
export async function query(url: string, sql: string): Promise<Rows> {
  const client = await connect(url)
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Opens a connection. If it is lost, its next statement fails. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}
