import type { Activity } from '../core/schemas/activity.ts'
import { isBy } from '../core/texts/sentence.ts'
import type { Api } from './api.ts'
import { Act, Age, Panel, Path, Text, unturned, Where, Who } from './parts.tsx'

interface Props {
  work: readonly Activity[]
  counts: ReadonlyMap<string, number>
  login: string | null
  now: Date
  api: Api
  empty: string
  onChange(): void
}

/** All live work, mine first. */
export function Work({ work, counts, empty, ...shared }: Props) {
  return (
    <Panel name="Who works on what" count={work.length} empty={empty}>
      <ul class="list rows">
        {work.map((one) => (
          <Row key={one.id} one={one} count={counts.get(one.id) ?? 0} {...shared} />
        ))}
      </ul>
    </Panel>
  )
}

type RowProps = Pick<Props, 'login' | 'now' | 'api' | 'onChange'> & { one: Activity; count: number }

function Row({ one, count, login, now, api, onChange }: RowProps) {
  const isMine = isBy(one, login)
  const done = () => api.archive('activity', one.id).then(onChange)
  return (
    <li class={isMine ? 'row-work is-mine' : 'row-work'}>
      <div class="cell-title">
        <strong>
          <Text>{one.title}</Text>
        </strong>
        <span class="chips">
          {count > 0 && <span class="chip high">{`${count} ${count === 1 ? 'collision' : 'collisions'}`}</span>}
          {one.blocking && <span class="chip high">blocking</span>}
          {(one.risk === 'high' || one.risk === 'critical') && <span class="chip medium">{one.risk} risk</span>}
          {one.status !== 'active' && <span class="chip">{one.status.replaceAll('-', ' ')}</span>}
        </span>
      </div>
      <div class="cell-who">
        <Who work={one} isMine={isMine} />
        <Where work={one} />
      </div>
      <Files one={one} />
      <div class="cell-when">
        <span class="muted">
          <Age at={one.heartbeat_at ?? one.began_at} now={now} />
        </span>
        {isMine && one.source === 'recorded' && (
          <Act
            name="Done"
            label={`Done: ${unturned(one.title)}`}
            ask={`Archive “${unturned(one.title)}”?`}
            act={done}
          />
        )}
      </div>
    </li>
  )
}

const fewPaths = 2

/** Where it is: two paths, and all below them on demand. */
function Files({ one }: { one: Activity }) {
  const { scope, issues, changes, summary } = one
  const paths = scope.paths.map((path) => <Path key={path}>{path}</Path>)
  const labels = [...scope.areas, ...issues.map((issue) => `#${issue}`)].map((label) => (
    <span class="chip" key={label}>
      <Text>{label}</Text>
    </span>
  ))
  const files =
    changes === null ? null : `${changes.files_total} changed ${changes.files_total === 1 ? 'file' : 'files'}`
  return (
    <div class="cell-where">
      {paths.slice(0, fewPaths)}
      {labels.length > 0 && <span class="chips">{labels}</span>}
      <details>
        <summary>{files ?? 'Details'}</summary>
        <p>
          <Text>{summary}</Text>
        </p>
        {paths.slice(fewPaths)}
      </details>
    </div>
  )
}
