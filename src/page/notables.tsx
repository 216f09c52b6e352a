import { untilDay } from '../core/notable.ts'
import type { Notable } from '../core/schemas/notable.ts'
import type { Api } from './api.ts'
import { Archive, Chip, Link, Panel, Path, Text, toneOf } from './parts.tsx'
import { Raise } from './raise.tsx'

interface Props {
  notables: readonly Notable[]
  api: Api
  empty: string
  onChange(): void
}

/** A bar for what stops the whole repository. */
export function Freezes({ notables }: Pick<Props, 'notables'>) {
  return (
    <>
      {notables.map((one) => (
        <div class="panel bar row high" key={one.id} role="note">
          <strong>
            <Text>{one.title}</Text>
          </strong>
          <span class="grow">
            <Text>{one.summary}</Text>
          </span>
          <Until one={one} />
        </div>
      ))}
    </>
  )
}

export function Know({ notables, api, empty, onChange }: Props) {
  const action = <Raise api={api} onChange={onChange} />
  return (
    <Panel name="Know before you start" count={notables.length} empty={empty} action={action}>
      {notables.map((one) => (
        <li key={one.id} class="note">
          <div class="row">
            <strong>
              <Text>{one.title}</Text>
            </strong>
            {one.blocking ? (
              <Chip tone="high">blocking</Chip>
            ) : (
              <Chip tone={toneOf(one.importance)}>{one.importance}</Chip>
            )}
          </div>
          <p>
            <Text>{one.summary}</Text>
          </p>
          <div class="meta">
            {[...one.scope.paths, ...one.scope.areas].slice(0, 3).map((place) => (
              <Path key={place}>{place}</Path>
            ))}
            <Until one={one} />
            <Archive name="Archive" title={one.title} act={() => api.archive('notables', one.id).then(onChange)} />
          </div>
        </li>
      ))}
    </Panel>
  )
}

/** Until when it applies, and the document that says more. */
function Until({ one }: { one: Notable }) {
  const { decision_url } = one
  return (
    <>
      <span class="muted">until {untilDay(one)}</span>
      {decision_url !== null && <Link to={decision_url}>Read more</Link>}
    </>
  )
}
