import type { Bind } from '../db/binder.ts'
import type { Probes } from './probes.ts'

const endsAgree = `(probe.ends = '' or found.tail = '' or starts_with(found.tail, probe.ends) or starts_with(probe.ends, found.tail))`

/**
 * Selects the ids of the activities that the index finds for the probes in the repository `$1`, some more than once: index
 * scans, never all of it unless a glob is open at both ends. `offset 0` keeps the planner from joining another way round:
 * its estimates know nothing of the probes, and a scan of the whole table looks cheap to it. Only the parts that are needed
 * are there, since planning costs too.
 */
export function candidateIds(probes: Probes, bind: Bind): string {
  const entries = (kind: 'path' | 'area', condition: string, columns = 'activity_id, tail') =>
    `select ${columns} from scope_keys
      where repository_id = $1 and kind = '${kind}' and ${condition} offset 0`
  const each = (probe: string, condition: string, where = '') =>
    `select found.activity_id from ${probe} cross join lateral (${entries('path', condition)}) as found ${where}`
  // As a sub-select: how many there are would make PostgreSQL plan anew for each check.
  const texts = (values: string[]) => `(select ${bind(values)}::text[])::text[]`
  const { exact, below, tails, tailRanges, everything, areas } = probes
  const parts: string[] = []
  if (everything) parts.push(`select activity_id from (${entries('path', 'true')}) as everything`)
  if (exact.size > 0) {
    // All keys in one scan: neighbours share their way through the index (PostgreSQL 17 and later).
    const tailsOf = `${bind(JSON.stringify(Object.fromEntries([...exact].map(([key, ends]) => [key, [...ends]]))))}::jsonb`
    const keys = `array(select jsonb_object_keys(${tailsOf}))`
    // Not a join, which PostgreSQL may make of each entry with each probe, as it knows the number of neither.
    parts.push(
      `select activity_id from (${entries('path', `key = any(${keys})`, 'activity_id, key, tail')}) as found
        where tail = '' or exists (
          select from jsonb_array_elements_text(${tailsOf} -> key) as probe(ends) where ${endsAgree})`,
    )
  }
  if (below.length > 0) {
    const arrays = [below.map(({ key }) => key), below.map(({ after }) => after), below.map(({ tail }) => tail)].map(
      texts,
    )
    const range = 'key > probe.begins and key < probe.after'
    parts.push(each(`unnest(${arrays}) as probe(begins, after, ends)`, range, `where ${endsAgree}`))
  }
  if (tails.length > 0) parts.push(each(`unnest(${texts(tails)}) as probe(ends)`, 'tail = probe.ends'))
  if (tailRanges.length > 0) {
    const arrays = [tailRanges.map(({ tail }) => tail), tailRanges.map(({ after }) => after)].map(texts)
    parts.push(each(`unnest(${arrays}) as probe(ends, after)`, 'tail > probe.ends and tail < probe.after'))
  }
  if (areas.length > 0)
    parts.push(`select activity_id from (${entries('area', `key = any(${texts(areas)})`)}) as named`)
  // An empty scope overlaps nothing.
  if (parts.length === 0) return 'select null::text as activity_id where false'
  return parts.join(' union all ')
}
