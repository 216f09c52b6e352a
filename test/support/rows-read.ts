import { z } from 'zod'
import type { Database } from '../../src/service/db/database.ts'
import { explainStatements } from './explained.ts'

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

/** Counts the rows that PostgreSQL reads of each table, including those that it filters out; if `nested`, also those of triggers. */
export async function countRowsRead(
  db: Database,
  { nested }: { nested?: boolean } = {},
): Promise<{ reset(): void; of(table: string): number }> {
  const read = new Map<string, number>()
  const add = (node: Node) => {
    const { 'Relation Name': table, 'Actual Rows': rows, 'Rows Removed by Filter': removed = 0, Plans = [] } = node
    if (table !== undefined) read.set(table, (read.get(table) ?? 0) + (rows + removed) * node['Actual Loops'])
    for (const inner of Plans) add(inner)
  }
  await explainStatements(db, { format: 'json', analyze: true, nested }, (plan) =>
    add(Explained.parse(JSON.parse(plan)).Plan),
  )
  return { reset: () => read.clear(), of: (table) => Math.round(read.get(table) ?? 0) }
}
