import { Component } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Activity } from '../../activity/schema.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { readableGlob } from '../../scope/glob/escape.ts'
import { diffLink } from '../../sentence/acts.ts'
import { pullNumber } from '../../sentence/collision-words.ts'
import { type ChangeFilters, useHeld } from '../hooks/use-view.ts'
import type { WorkRow } from '../model/board.ts'
import type { Filters } from '../model/filters.ts'
import { statusWord } from '../model/words.ts'
import { HeldButton, Panel } from './parts/controls.tsx'
import { Age, Code, OutLink, SeverityMark, SourceMark, Text } from './parts/marks.tsx'
import { WorkDetail } from './work-detail.tsx'

interface WorkPanelProps {
  repository: RepositoryOfPage
  /** The rows that pass the filters. */
  rows: readonly WorkRow[]
  all: readonly WorkRow[]
  isCut: boolean
  /** Whether the viewer may change records now. */
  mayWrite: boolean
  filters: Filters
  query: string
  onFilters: ChangeFilters
}

const keyOf = ({ activity }: WorkRow) => activity.id
const sources = ['recorded', 'pull_request', 'branch'] as const

/** Why the list is empty although there is work. A link to one activity may be older than the activity's end. */
const noneText = ({ activity }: Filters) =>
  activity ? 'No such work is in flight with these filters. It may have ended.' : 'No work passes the filters.'

/** All work in flight, up to 500. */
export function WorkPanel({ repository, rows, all, isCut, mayWrite, filters, query, onFilters }: WorkPanelProps) {
  const held = useHeld(rows, keyOf, query)
  const [openId, setOpenId] = useState(filters.activity)
  useEffect(() => setOpenId(filters.activity), [filters.activity])
  const onToggle = useCallback((id: string) => setOpenId((before) => (before === id ? '' : id)), [])
  const onOnly = useCallback((activity: string) => onFilters({ activity }, true), [onFilters])
  const total = `${all.length}${isCut ? '+' : ''}`
  const present = new Set(all.map(({ activity }) => activity.source))
  return (
    <Panel
      id="work"
      title="Who works on what"
      count={rows.length === all.length ? total : `${rows.length} of ${total}`}
      actions={
        <>
          <HeldButton held={held} />
          <span class="legend">
            {sources.map((source) => present.has(source) && <SourceMark key={source} source={source} hasWord />)}
          </span>
        </>
      }
    >
      <ul class="rows">
        {held.items.map(({ key, item, isGone }) => (
          <RowItem
            key={key}
            repository={repository}
            row={item}
            isGone={isGone}
            isOpen={openId === key}
            isOnly={filters.activity === key}
            mayWrite={mayWrite}
            onToggle={onToggle}
            onOnly={onOnly}
          />
        ))}
      </ul>
      {held.items.length === 0 && <p class="empty">{all.length === 0 ? 'Nothing is in flight.' : noneText(filters)}</p>}
    </Panel>
  )
}

interface RowItemProps {
  repository: RepositoryOfPage
  row: WorkRow
  /** Whether it has ended, and is shown only so that nothing moves. */
  isGone: boolean
  isOpen: boolean
  /** Whether the filter shows only this activity. */
  isOnly: boolean
  mayWrite: boolean
  onToggle(id: string): void
  onOnly(id: string): void
}

/** A row. An unchanged one is not rendered again, since there may be 500. */
class RowItem extends Component<RowItemProps> {
  override shouldComponentUpdate(next: RowItemProps): boolean {
    const { row, isGone, isOpen, isOnly, mayWrite } = this.props
    const { activity, severity, collisions, isMine } = next.row
    const isSame = row.activity === activity && row.severity === severity && row.collisions === collisions
    const isAsBefore = isGone === next.isGone && isOpen === next.isOpen && isOnly === next.isOnly
    return !isSame || !isAsBefore || row.isMine !== isMine || mayWrite !== next.mayWrite
  }

  override render({ repository, row, isGone, isOpen, isOnly, mayWrite, onToggle, onOnly }: RowItemProps) {
    const { activity, isMine } = row
    const { id, title, actor, agent, branch, source, began_at, heartbeat_at } = activity
    const number = pullNumber(activity)
    const files = number === undefined ? undefined : diffLink(activity, undefined)
    return (
      <li class={`row${isGone ? ' is-gone' : ''}`}>
        <div class="row-line">
          <div class="row-work">
            <SourceMark source={source} />
            <span>
              <button type="button" class="link-button row-title" aria-expanded={isOpen} onClick={() => onToggle(id)}>
                <Text>{title}</Text>
              </button>
              <span class="sub">
                {files && <OutLink href={files}>#{number}</OutLink>}{' '}
                {branch !== null && branch !== title && <Code>{branch}</Code>}
              </span>
            </span>
          </div>
          <div>
            <Text>{actor}</Text>
            {isMine && <span class="badge">you</span>}
            {agent && agent !== actor && (
              <span class="sub">
                with <Text>{agent}</Text>
              </span>
            )}
          </div>
          <div>
            <Where activity={activity} />
          </div>
          <div>
            <State row={row} isGone={isGone} />
          </div>
          <div class="row-age">
            <Age at={began_at} />
            {heartbeat_at !== null && (
              <span class="sub">
                <Age at={heartbeat_at} before={source === 'recorded' ? 'seen ' : 'pushed '} />
              </span>
            )}
          </div>
        </div>
        {(isOpen || isMine) && (
          <WorkDetail
            repository={repository}
            activity={activity}
            isOpen={isOpen}
            isMine={isMine}
            mayChange={mayWrite && !isGone}
            isOnly={isOnly}
            onOnly={onOnly}
          />
        )}
      </li>
    )
  }
}

function State({ row: { activity, severity, collisions }, isGone }: { row: WorkRow; isGone: boolean }) {
  const { status, blocking, risk } = activity
  return (
    <>
      <span class={`status status-${status}`}>{isGone ? 'Ended' : statusWord(status)}</span>
      {severity && (
        <span class="row-collides" title={`Collides with ${collisions}`}>
          <SeverityMark severity={severity} hasWord={false} />
          <span aria-hidden="true">{collisions}</span>
          <span class="visually-hidden"> severity, collides with {collisions}</span>
        </span>
      )}
      {(blocking || risk === 'high' || risk === 'critical') && (
        <span class="sub warn">{blocking ? 'blocking' : `${risk} risk`}</span>
      )}
    </>
  )
}

const mostPaths = 2

/** The declared paths, else the directories of the changed files. */
function Where({ activity }: { activity: Activity & { scope_changed?: readonly string[] } }) {
  const { scope, changes, scope_changed: changed = [] } = activity
  const paths = scope.paths.length > 0 ? scope.paths.map(readableGlob) : changed
  const more = paths.length - mostPaths
  return (
    <>
      {paths.slice(0, mostPaths).map((path) => (
        <span key={path} class="row-path">
          <Code>{path}</Code>
        </span>
      ))}
      {more > 0 && <span class="sub">and {more} more</span>}
      {scope.areas.map((area) => (
        <span key={area} class="badge">
          <Text>{area}</Text>
        </span>
      ))}
      {paths.length + scope.areas.length === 0 && (
        <span class="sub">{changes ? 'no file changed' : 'no path named'}</span>
      )}
    </>
  )
}
