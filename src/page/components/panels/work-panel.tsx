import { useCallback, useEffect, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import type { ChangeFilters } from '../../hooks/use-filters.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import type { Filters } from '../../model/filters.ts'
import type { WorkRow as Row } from '../../model/work-rows.ts'
import { SourceWord } from '../parts/marks.tsx'
import { Empty, Panel, WaitingButton } from '../parts/panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { WorkRow } from './work-row.tsx'

interface WorkPanelProps {
  repository: RepositoryOfPage
  /** The rows that pass the filters. */
  rows: readonly Row[]
  all: readonly Row[]
  isCut: boolean
  filters: Filters
  onFilters: ChangeFilters
  isReading: boolean
  filterQuery: string
}

/** Pushed branches are off by default, so the legend explains their sign only where there are some. */
function Legend({ rows }: { rows: readonly Row[] }) {
  return (
    <span class="legend">
      <SourceWord source="recorded" />
      <SourceWord source="pull_request" />
      {rows.some(({ activity }) => activity.source === 'branch') && <SourceWord source="branch" />}
    </span>
  )
}

/** Why the table is empty although there is work. A link to one activity may be older than the activity's end. */
const noneText = ({ activity }: Filters) =>
  activity ? 'No such work is in flight with these filters. It may have ended.' : 'No work passes the filters.'

const columns = ['Work', 'Who', 'Where', 'State', 'Age'] as const
const keyOf = ({ activity }: Row) => activity.id

/** The table of all work in flight. */
export function WorkPanel(props: WorkPanelProps) {
  const { repository, rows, all, isCut, filters, onFilters, isReading, filterQuery } = props
  const { items, waiting, release } = useSettled(rows, keyOf, isReading, filterQuery)
  const [openId, setOpenId] = useState(filters.activity)
  // Opens the activity in the address whenever the address changes.
  useEffect(() => setOpenId(filters.activity), [filters.activity])
  const onToggle = useCallback((id: string) => setOpenId((open) => (open === id ? '' : id)), [])
  const onOnly = useCallback((activity: string) => onFilters({ activity }, true), [onFilters])
  const total = isCut ? `newest ${all.length}` : `${all.length}`
  const count = rows.length === all.length ? total : `${rows.length} of ${total}`
  return (
    <Panel
      id="work"
      title="Who works on what"
      holds
      count={count}
      actions={
        <>
          <WaitingButton waiting={waiting} release={release} />
          <Legend rows={all} />
        </>
      }
    >
      {all.length + items.length === 0 ? (
        <Empty>
          Nothing is in flight. In a clone, <code>headsup start</code> records what you begin.
        </Empty>
      ) : (
        <>
          <FilterBar rows={all} filters={filters} onFilters={onFilters} />
          <table class="work-table" aria-labelledby="work-title">
            <thead>
              <tr class="row row-head">
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map(({ key, item, isGone }) => (
                <WorkRow
                  key={key}
                  repository={repository}
                  row={item}
                  isGone={isGone}
                  isOpen={openId === key}
                  isOnly={filters.activity === key}
                  onToggle={onToggle}
                  onOnly={onOnly}
                />
              ))}
            </tbody>
          </table>
          {items.length === 0 && <Empty>{noneText(filters)}</Empty>}
        </>
      )}
    </Panel>
  )
}
