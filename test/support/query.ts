import pg from 'pg'

type Rows = Record<string, unknown>[]

/** Runs one query on a new connection and returns its rows. */
export async function query(url: string, sql: string): Promise<Rows> {
  return await queryInTurn(url, [sql])
}

/** Runs queries on a new connection, one after the other, and returns the rows of the last. */
export async function queryInTurn(url: string, statements: readonly string[]): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Rows = []
    for (const sql of statements) rows = (await client.query<Record<string, unknown>>(sql)).rows
    return rows
  } finally {
    await client.end()
  }
}
