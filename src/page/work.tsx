import type { Activity } from '../core/schemas/activity.ts'
import { isBy } from '../core/texts/sentence.ts'
import type { Api } from './api.ts'
import { Age, Archive, Chip, Panel, Path, Text, Who } from './parts.tsx'

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
      {work.map((one) => (
        <Row key={one.id} one={one} count={counts.get(one.id) ?? 0} {...shared} />
      ))}
    </Panel>
  )
}

type RowProps = Pick<Props, 'login' | 'now' | 'api' | 'onChange'> & { one: Activity; count: number }

function Row({ one, count, login, now, api, onChange }: RowProps) {
  const isMine = isBy(one, login)
  const { id, title, blocking, risk, status, source, heartbeat_at, began_at } = one
  return (
    <li class={isMine ? 'work is-mine' : 'work'}>
      <div class="row">
        <strong>
          <Text>{title}</Text>
        </strong>
        {count > 0 && <Chip tone="high">{`${count} ${count === 1 ? 'collision' : 'collisions'}`}</Chip>}
        {blocking && <Chip tone="high">blocking</Chip>}
        {(risk === 'high' || risk === 'critical') && <Chip tone="medium">{risk} risk</Chip>}
        {status !== 'active' && <Chip>{status.replaceAll('-', ' ')}</Chip>}
      </div>
      <div class="row">
        <Who work={one} isMine={isMine} />
      </div>
      <Places one={one} />
      <div class="row">
        <Age at={heartbeat_at ?? began_at} now={now} />
        {isMine && source === 'recorded' && (
          <Archive name="Done" title={title} act={() => api.archive('activity', id).then(onChange)} />
        )}
      </div>
    </li>
  )
}

const fewPaths = 2

/** Where it is: two paths, and all below them on demand. */
function Places({ one: { scope, issues, changes, summary } }: { one: Activity }) {
  const paths = scope.paths.map((path) => <Path key={path}>{path}</Path>)
  const labels = [...scope.areas, ...issues.map((issue) => `#${issue}`)]
  const count = changes?.files_total
  return (
    <div class="row">
      {paths.slice(0, fewPaths)}
      {labels.map((label) => (
        <Chip key={label}>
          <Text>{label}</Text>
        </Chip>
      ))}
      <details>
        <summary>{count === undefined ? 'Details' : `${count} changed ${count === 1 ? 'file' : 'files'}`}</summary>
        <Text>{summary}</Text>
        {paths.length > fewPaths && <div class="row">{paths.slice(fewPaths)}</div>}
      </details>
    </div>
  )
}
