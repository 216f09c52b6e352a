import type { Database } from '../../src/service/db/database.ts'
import { query } from './query.ts'

interface Explaining {
  /** By default as text. */
  format?: 'json' | undefined
  /** Whether the numbers of the execution are shown. */
  analyze?: boolean | undefined
  /** Whether the statements of triggers are explained too. */
  nested?: boolean | undefined
}

/**
 * Explains each statement of the pool with PostgreSQL's `auto_explain`. Throws if the pool already has a connection, whose statements
 * would not be explained.
 */
export async function explainStatements(
  { pool }: Database,
  { format, analyze = false, nested = false }: Explaining,
  onPlan: (plan: string) => void,
): Promise<void> {
  if (pool.totalCount > 0) throw new Error('The pool already has a connection')
  const url = pool.options.connectionString ?? ''
  const database = new URL(url).pathname.slice(1)
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': format ?? 'text',
    'auto_explain.log_analyze': String(analyze),
    'auto_explain.log_nested_statements': String(nested),
    client_min_messages: 'log',
  }
  for (const [name, value] of Object.entries(settings)) {
    await query(url, `alter database ${database} set ${name} = '${value}'`)
  }
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const start = message.indexOf('plan:\n')
      if (start !== -1) onPlan(message.slice(start + 6))
    })
  })
}
