import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { activitySources, type LiveStatus } from '../../core/enums.ts'
import { isGrave } from '../../core/rules/severity.ts'
import type { Activity, RetrievedActivity } from '../../core/schemas/activity.ts'
import { readableGlob } from '../../core/scope/glob/escape.ts'
import { lineList } from '../../core/texts/line-list.ts'
import { diffLink } from '../../core/texts/sentence/acts.ts'
import { counted, pullNumber } from '../../core/texts/sentence/sentence-parts.ts'
import { Scene } from '../hooks/use-view.ts'
import type { HeldItem, WorkRow } from '../model/board.ts'
import { visibleText } from '../model/visible-text.ts'
import { doneText, statusWords } from '../model/words.ts'
import { ActButton, ListPanel } from './parts/controls.tsx'
import { Age, Agent, Code, OutLink, Places, SeverityMark, Sign, SourceMark, Text } from './parts/marks.tsx'

interface WorkPanelProps {
  rows: readonly WorkRow[]
  all: readonly WorkRow[]
  isCut: boolean
}

/** How many rows are drawn at once: more than one screen has. */
const firstRows = 60

/** All work in flight, up to 500. The first screen is drawn before the rest. */
export function WorkPanel({ rows, all, isCut }: WorkPanelProps) {
  const [most, setMost] = useState(firstRows)
  useEffect(() => setMost(Infinity), [])
  const { activity: only } = useContext(Scene).filters
  const present = new Set(all.map(({ activity }) => activity.source))
  return (
    <ListPanel
      id="work"
      title="Who works on what"
      items={rows}
      keyOf={({ activity }) => activity.id}
      total={all.length}
      more={isCut ? '+' : ''}
      none="Nothing is in flight."
      // A link to one activity may be older than the activity's end.
      nonePasses={
        only ? 'No such work is in flight with these filters. It may have ended.' : 'No work passes the filters.'
      }
      actions={activitySources.map(
        (source) => present.has(source) && <SourceMark key={source} source={source} hasWord />,
      )}
      class="rows"
      most={most}
      row={(one) => <RowItem key={one.key} held={one} isOnly={only === one.key} />}
    />
  )
}

interface RowItemProps {
  held: HeldItem<WorkRow>
  isOnly: boolean
}

/** A row. An unchanged one is not drawn again, since there may be 500. */
function RowItem({ held: { item, isGone }, isOnly }: RowItemProps) {
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isOnly
  const { activity, severity, collisions, isMine } = item
  return useMemo(() => {
    const { title, actor, branch, source, began_at, heartbeat_at, scope, scope_changed, changes } = activity
    const { status, blocking, risk } = activity
    const paths = scope.paths.length > 0 ? scope.paths.map(readableGlob) : scope_changed
    const number = pullNumber(activity)
    const files = number === undefined ? undefined : diffLink(activity, undefined)
    return (
      <li class={`line row${isGone ? ' is-gone' : ''}`}>
        <div class="row-line">
          <div class="row-work">
            <SourceMark source={source} />
            <span>
              <button type="button" class="row-title" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
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
            <Agent work={activity} class="sub" />
          </div>
          <div class="row-where">
            <Places paths={paths} areas={scope.areas} most={2} none={changes ? 'no file changed' : 'no path named'} />
          </div>
          <div>
            <span>
              <Sign class={statusColours[status] ?? 'muted'}>●</Sign>
              {isGone ? 'Ended' : (statusWords[status as LiveStatus] ?? status)}
            </span>{' '}
            {severity && (
              <span title={`Collides with ${collisions}`}>
                <SeverityMark severity={severity} hasWord={false} />
                <span class="visually-hidden"> severity, collides with </span>
                {collisions}
              </span>
            )}
            {isGrave(activity) && <span class="sub warn">{blocking ? 'blocking' : `${risk} risk`}</span>}
          </div>
          <div>
            <Age at={began_at} />
            {heartbeat_at !== null && (
              <Age class="sub" at={heartbeat_at} before={source === 'recorded' ? 'seen ' : 'pushed '} />
            )}
          </div>
        </div>
        {isMine && <OwnActs activity={activity} isGone={isGone} />}
        {isOpen && <Details activity={activity} isOnly={isOnly} />}
      </li>
    )
  }, [activity, severity, collisions, isMine, isGone, isOpen, isOnly])
}

const statusColours: Partial<Record<Activity['status'], string>> = {
  active: 'good',
  blocked: 'fault',
  'ready-for-review': 'accent',
}

/** What one can do with one's own work. It keeps its height. */
function OwnActs({ activity, isGone }: { activity: Activity; isGone: boolean }) {
  const { call, mayWrite } = useContext(Scene)
  const { id, title, source, status } = activity
  const [isRecorded, isPaused] = [source === 'recorded', status === 'paused']
  const name = visibleText(title)
  const end = () => call('POST', `/activity/${id}/archive`, {})
  const pause = () => call('PATCH', `/activity/${id}`, { status: isPaused ? 'active' : 'paused' })
  if (!mayWrite || isGone) return <div class="inset own-acts" />
  return (
    <div class="flow inset own-acts">
      <ActButton
        {...{ name, act: end, label: isRecorded ? 'Done' : 'Put aside until its next push' }}
        confirm={isRecorded ? doneText(activity) : 'Put it aside: others will not be warned of it'}
      />
      {isRecorded && <ActButton label={isPaused ? 'Resume' : 'Pause'} name={name} act={pause} />}
    </div>
  )
}

/** What the row has no place for. The changed files are requested when it is opened. */
function Details({ activity, isOnly }: { activity: Activity; isOnly: boolean }) {
  const { call, changeFilters } = useContext(Scene)
  const { id, updated_at, summary, source, base_branch, expires_at } = activity
  const [detail, setDetail] = useState<RetrievedActivity>()
  useEffect(() => {
    void call<RetrievedActivity>('GET', `/activity/${id}`).then((reply) => {
      // A record that has changed since is requested again.
      if (reply.ok && reply.body.updated_at >= updated_at) setDetail(reply.body)
    })
  }, [call, id, updated_at])
  // The stream has only the first paths of a large scope.
  const { scope, changes } = detail ?? activity
  const files = detail?.changes?.files ?? []
  return (
    <div class="inset stack">
      <p>
        <Text>{summary}</Text>
      </p>
      <ul>
        {source === 'recorded' &&
          scope.paths.map((path) => (
            <li key={path}>
              <Code>{readableGlob(path)}</Code>
            </li>
          ))}
        {files.slice(0, 20).map(({ path, status, lines }) => (
          <li key={path}>
            <Code>{path}</Code> <span class="muted">{status === 'modified' ? lineList(lines ?? [], 5) : status}</span>
          </li>
        ))}
      </ul>
      <p class="flow muted">
        {changes && <span>{counted(changes.files_total, 'changed file')}</span>}
        {base_branch !== null && (
          <span>
            into <Code>{base_branch}</Code>
          </span>
        )}
        {source === 'recorded' && <Age at={expires_at} before="ends, unless something is heard of it, " isAhead />}
      </p>
      <button type="button" class="text-button" onClick={() => changeFilters({ activity: isOnly ? '' : id }, true)}>
        {isOnly ? 'Show all work' : 'Only this work and its collisions'}
      </button>
    </div>
  )
}
