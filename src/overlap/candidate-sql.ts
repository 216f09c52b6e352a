import type { Bind } from '../db/binder.ts'
import { FILE, PART, WHOLE } from '../scope/glob-key.ts'
import type { Probes } from './probes.ts'

const endsAgree = `(probe.ends = '' or found.tail = '' or starts_with(found.tail, probe.ends) or starts_with(probe.ends, found.tail))`

/**
 * Selects the activities that the index finds for the probes in the repository `$1` (`activity_id`), and what their keys tell
 * (`meets`): that both name the same file, that they meet, or nothing, where the globs have to be read (`PART`). Index
 * scans, never all of it unless a glob is open at both ends. `offset 0` keeps the planner from joining another way round:
 * its estimates know nothing of the probes, and a scan of the whole table looks cheap to it. Only the parts that are needed
 * are there, since planning costs too.
 */
export function candidates(probes: Probes, bind: Bind): string {
  const entries = (kind: 'path' | 'area', condition: string, columns = 'activity_id, tail') =>
    `select ${columns} from scope_keys
      where repository_id = $1 and kind = '${kind}' and ${condition} offset 0`
  const each = (probe: string, condition: string, meets: string | number, where = '') =>
    `select found.activity_id, ${meets} from ${probe} cross join lateral (${entries('path', condition)}) as found ${where}`
  // As a sub-select: how many there are would make PostgreSQL plan anew for each check.
  const list = (values: unknown[], type: string) => `(select ${bind(values)}::${type}[])::${type}[]`
  const texts = (values: string[]) => list(values, 'text')
  const object = (entriesOf: Iterable<[string, unknown]>) =>
    `${bind(JSON.stringify(Object.fromEntries(entriesOf)))}::jsonb`
  const { exact, extents, below, tails, tailRanges, everything, areas } = probes
  const parts: string[] = []
  if (everything) {
    const meets = extents.has('') ? WHOLE : PART
    parts.push(`select activity_id, ${meets} from (${entries('path', 'true')}) as everything`)
  }
  if (exact.size > 0) {
    // All keys in one scan: neighbours share their way through the index (PostgreSQL 17 and later).
    const tailsOf = object(Array.from(exact, ([key, ends]) => [key, [...ends]]))
    const keys = `array(select jsonb_object_keys(${tailsOf}))`
    const proposed = object(extents)
    // Not a join, which PostgreSQL may make of each entry with each probe, as it knows the number of neither.
    parts.push(
      `select activity_id, case when extent = ${FILE} and ${proposed} -> key = '${FILE}' then ${FILE}
                                when extent > ${PART} or ${proposed} ? key then ${WHOLE} else ${PART} end
         from (${entries('path', `key = any(${keys})`, 'activity_id, key, tail, extent')}) as found
        where tail = '' or exists (
          select from jsonb_array_elements_text(${tailsOf} -> key) as probe(ends) where ${endsAgree})`,
    )
  }
  if (below.length > 0) {
    const columns = [
      texts(below.map(({ key }) => key)),
      texts(below.map(({ after }) => after)),
      texts(below.map(({ tail }) => tail)),
      list(
        below.map(({ extent }) => extent),
        'smallint',
      ),
    ]
    const range = 'key > probe.begins and key < probe.after'
    parts.push(
      each(`unnest(${columns}) as probe(begins, after, ends, extent)`, range, 'probe.extent', `where ${endsAgree}`),
    )
  }
  if (tails.length > 0) parts.push(each(`unnest(${texts(tails)}) as probe(ends)`, 'tail = probe.ends', PART))
  if (tailRanges.length > 0) {
    const columns = [texts(tailRanges.map(({ tail }) => tail)), texts(tailRanges.map(({ after }) => after))]
    parts.push(each(`unnest(${columns}) as probe(ends, after)`, 'tail > probe.ends and tail < probe.after', PART))
  }
  if (areas.length > 0)
    parts.push(`select activity_id, ${PART} from (${entries('area', `key = any(${texts(areas)})`)}) as named`)
  // An empty scope overlaps nothing.
  if (parts.length === 0) return `select null::text as activity_id, ${PART} as meets where false`
  return `select activity_id, max(meets) as meets from (${parts.join(' union all ')}) as entry(activity_id, meets) group by activity_id`
}
