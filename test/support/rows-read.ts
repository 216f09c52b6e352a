import { z } from 'zod'
import type { Database } from '../../src/db/database.ts'
import { query } from './query.ts'

interface Node {
  'Relation Name'?: string | undefined
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number | undefined
  Plans?: Node[] | undefined
}
const Node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    'Relation Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    Plans: z.array(Node).optional(),
  }),
)
const Explained = z.object({ Plan: Node })

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  client_min_messages: 'log',
}

/**
 * Counts the rows that PostgreSQL reads of each table, including those that it filters out. It takes the numbers from
 * `auto_explain`. Throws if the pool already has a connection, which would not be counted.
 */
export async function countRowsRead({ pool }: Database): Promise<{ reset(): void; of(table: string): number }> {
  if (pool.totalCount > 0) throw new Error('The pool already has a connection')
  const url = pool.options.connectionString ?? ''
  const database = new URL(url).pathname.slice(1)
  for (const [name, value] of Object.entries(settings)) {
    await query(url, `alter database ${database} set ${name} = '${value}'`)
  }
  const read = new Map<string, number>()
  const add = (node: Node) => {
    const { 'Relation Name': table, 'Actual Rows': rows, 'Rows Removed by Filter': removed = 0, Plans = [] } = node
    if (table !== undefined) read.set(table, (read.get(table) ?? 0) + (rows + removed) * node['Actual Loops'])
    for (const inner of Plans) add(inner)
  }
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const start = message.indexOf('plan:\n')
      if (start !== -1) add(Explained.parse(JSON.parse(message.slice(start + 6))).Plan)
    })
  })
  return { reset: () => read.clear(), of: (table) => Math.round(read.get(table) ?? 0) }
}
