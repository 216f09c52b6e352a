import { Component } from 'preact'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { readableGlob } from '../../../scope/glob/escape.ts'
import { pullNumber } from '../../../sentence/collision-words.ts'
import { sourceWords, statusWord } from '../../model/describe.ts'
import { filesLink } from '../../model/links.ts'
import type { WorkRow as Row } from '../../model/work-rows.ts'
import { Age } from '../parts/age.tsx'
import { OutLink } from '../parts/link.tsx'
import { SeverityMark, SourceMark } from '../parts/marks.tsx'
import { Code, Text } from '../parts/text.tsx'
import { WorkDetail } from './work-detail.tsx'

interface WorkRowProps {
  repository: RepositoryOfPage
  row: Row
  /** Whether it has ended and is shown only while somebody reads. */
  isGone: boolean
  isOpen: boolean
  /** Whether the filter shows only this activity. */
  isOnly: boolean
  onToggle(id: string): void
  onOnly(id: string): void
}

const mostPaths = 2

/** A row of the table. An unchanged row is not rendered again, since there may be 500. */
export class WorkRow extends Component<WorkRowProps> {
  override shouldComponentUpdate(next: WorkRowProps): boolean {
    const { row, isGone, isOpen, isOnly } = this.props
    const isSame =
      row.activity === next.row.activity && row.severity === next.row.severity && row.collisions === next.row.collisions
    return !isSame || isGone !== next.isGone || isOpen !== next.isOpen || isOnly !== next.isOnly
  }

  override render({ repository, row, isGone, isOpen, isOnly, onToggle, onOnly }: WorkRowProps) {
    const { activity } = row
    const { id, title, actor, agent, branch, source, began_at, heartbeat_at } = activity
    const number = pullNumber(activity)
    const files = filesLink(activity.pr_url)
    return (
      <>
        <tr class={`row row-${source}${isGone ? ' is-gone' : ''}${isOpen ? ' is-open' : ''}`}>
          <td class="cell-work">
            <SourceMark activity={activity} hasWord={false} />
            <span class="work-text">
              <button type="button" class="link-button work-title" aria-expanded={isOpen} onClick={() => onToggle(id)}>
                <Text>{title}</Text>
              </button>
              <span class="work-sub">
                {files && <OutLink href={files}>{number === undefined ? 'Pull request' : `#${number}`}</OutLink>}
                {source === 'branch' && sourceWords.branch}
                {branch !== null && !(source === 'branch' && branch === title) && <Code>{branch}</Code>}
              </span>
            </span>
          </td>
          <td class="cell-who">
            <Text>{actor}</Text>
            {agent && agent !== actor && (
              <span class="sub">
                with <Text>{agent}</Text>
              </span>
            )}
          </td>
          <td class="cell-where">
            <Where activity={activity} />
          </td>
          <td class="cell-state">
            <State row={row} isGone={isGone} />
          </td>
          <td class="cell-age">
            <Age at={began_at} />
            {heartbeat_at !== null && (
              <span class="sub">
                <Age at={heartbeat_at} before={source === 'recorded' ? 'seen ' : 'pushed '} />
              </span>
            )}
          </td>
        </tr>
        {isOpen && (
          <tr class="row-detail">
            <td colSpan={5}>
              <WorkDetail repository={repository} activity={activity} isOnly={isOnly} onOnly={onOnly} />
            </td>
          </tr>
        )}
      </>
    )
  }
}

function State({ row: { activity, severity, collisions }, isGone }: { row: Row; isGone: boolean }) {
  const { status, blocking, risk } = activity
  return (
    <>
      <span class="state-line">
        <span class={`status status-${status}`}>{isGone ? 'Ended' : statusWord(status)}</span>
        {severity && (
          <span class="row-collides" title={`Collides with ${collisions}`}>
            <SeverityMark severity={severity} hasWord={false} />
            <span aria-hidden="true">{collisions}</span>
            <span class="visually-hidden"> severity, collides with {collisions}</span>
          </span>
        )}
      </span>
      {(blocking || risk === 'high' || risk === 'critical') && (
        <span class="sub warn">{blocking ? 'blocking' : `${risk} risk`}</span>
      )}
    </>
  )
}

function Where({ activity: { scope, changes } }: { activity: Row['activity'] }) {
  const paths = scope.paths.map(readableGlob)
  const more = paths.length - mostPaths
  return (
    <>
      {paths.slice(0, mostPaths).map((path) => (
        <Code key={path}>{path}</Code>
      ))}
      {more > 0 && <span class="sub">and {more} more</span>}
      {scope.areas.map((area) => (
        <span key={area} class="area">
          <Text>{area}</Text>
        </span>
      ))}
      {paths.length + scope.areas.length === 0 && (
        <span class="sub">{changes ? 'no file changed' : 'no path named'}</span>
      )}
    </>
  )
}
