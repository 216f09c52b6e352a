import { connect } from '../../support/query.ts'

/** Waits until `count` connections are in a transaction at the same time. Returns false if `work` ends before that. */
export async function waitForTransactions(url: string, count: number, work: Promise<unknown>): Promise<boolean> {
  const client = await connect(url)
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  try {
    while (!isOver) {
      const { rows } = await client.query<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity where state = 'idle in transaction'`,
      )
      if ((rows[0]?.open ?? 0) >= count) return true
    }
    return false
  } finally {
    await client.end()
  }
}
