import { worstOf } from '../core/overlap/severity.ts'
import type { Activity } from '../core/schemas/activity.ts'
import { isBy } from '../core/texts/sentence.ts'
import type { Api } from './api.ts'
import type { Pair } from './model.ts'
import { Age, Archive, Chip, Panel, Path, Text, toneOf, Who } from './parts.tsx'

interface Props {
  work: readonly Activity[]
  pairs: ReadonlyMap<string, readonly Pair[]>
  login: string | null
  now: Date
  api: Api
  empty: string
  onChange(): void
}

/** All live work, mine first. */
export function Work({ work, pairs, empty, ...shared }: Props) {
  return (
    <Panel name="Who works on what" count={work.length} empty={empty}>
      {work.map((one) => (
        <Row key={one.id} one={one} pairs={pairs.get(one.id) ?? []} {...shared} />
      ))}
    </Panel>
  )
}

type RowProps = Pick<Props, 'login' | 'now' | 'api' | 'onChange'> & { one: Activity; pairs: readonly Pair[] }

function Row({ one, pairs, login, now, api, onChange }: RowProps) {
  const isMine = isBy(one, login)
  const worst = worstOf(pairs.map(({ severity }) => severity))
  const { id, title, summary, blocking, risk, status, source, heartbeat_at, began_at, scope } = one
  return (
    <li class={isMine ? 'work is-mine' : 'work'}>
      <details>
        <summary>
          <strong>
            <Text>{title}</Text>
          </strong>
          {worst && (
            <Chip tone={toneOf(worst)}>{pairs.length === 1 ? '1 collision' : `${pairs.length} collisions`}</Chip>
          )}
          {blocking && <Chip tone="high">blocking</Chip>}
          {(risk === 'high' || risk === 'critical') && <Chip tone="medium">{risk} risk</Chip>}
          {status !== 'active' && <Chip>{status.replaceAll('-', ' ')}</Chip>}
        </summary>
        <p>
          <Text>{summary}</Text>
        </p>
        {scope.paths.slice(fewPaths).map((path) => (
          <Path key={path}>{path}</Path>
        ))}
      </details>
      <Age at={heartbeat_at ?? began_at} now={now} />
      <div class="meta">
        <Who work={one} isMine={isMine} />
        <Places one={one} />
      </div>
      {isMine && source === 'recorded' && (
        <Archive name="Done" title={title} act={() => api.archive('activity', id).then(onChange)} />
      )}
    </li>
  )
}

const fewPaths = 3

/** Where it is: the first paths, areas, issues, and how many files it has changed. */
function Places({ one: { scope, issues, changes } }: { one: Activity }) {
  const more = scope.paths.length - fewPaths
  const count = changes?.files_total
  return (
    <>
      {scope.paths.slice(0, fewPaths).map((path) => (
        <Path key={path}>{path}</Path>
      ))}
      {more > 0 && <span>and {more} more</span>}
      {[...scope.areas, ...issues.map((issue) => `#${issue}`)].map((label) => (
        <Chip key={label}>
          <Text>{label}</Text>
        </Chip>
      ))}
      {count !== undefined && <span>{count === 1 ? '1 changed file' : `${count} changed files`}</span>}
    </>
  )
}
