import { useMemo, useRef } from 'preact/hooks'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { useFilters } from '../../hooks/use-filters.ts'
import { useReading } from '../../hooks/use-reading.ts'
import {
  collisionList,
  collisionPlace,
  collisionsAmong,
  comparingText,
  type ShownCollision,
} from '../../model/collisions.ts'
import { type Filters, isFiltered, matches, withoutPath, writeFilters } from '../../model/filters.ts'
import type { LiveState } from '../../model/live-state.ts'
import { notableList } from '../../model/notables.ts'
import { placeTree } from '../../model/place-tree.ts'
import { type WorkRow, workRows } from '../../model/work-rows.ts'
import { CollidesPanel } from '../panels/collides-panel.tsx'
import { KnowPanel } from '../panels/know-panel.tsx'
import { PlacesPanel } from '../panels/places-panel.tsx'
import { WorkPanel } from '../panels/work-panel.tsx'

interface DashboardProps {
  repository: RepositoryOfPage
  state: LiveState
  /** The page may be out of date, so nothing can be changed. */
  isStale: boolean
  onChanged(): void
}

/** The four panels. */
export function Dashboard({ repository, state, isStale, onChanged }: DashboardProps) {
  const { activities, collisions, notables, access, truncated } = state
  const [filters, changeFilters] = useFilters()
  const panels = useRef<HTMLDivElement>(null)
  const isReading = useReading(panels)
  const filterQuery = writeFilters('', filters)
  const rows = useMemo(() => workRows({ activities, collisions }), [activities, collisions])
  const pairs = useMemo(() => collisionList({ activities, collisions }), [activities, collisions])
  const known = useMemo(() => notableList(notables), [notables])
  const passing = useMemo(() => rows.filter((row) => matches(row, filters)), [rows, filters])
  const passingPairs = useMemo(() => pairsOf(pairs, passing, filters), [pairs, passing, filters])
  const elsewhere = withoutPath(filters)
  const tree = useMemo(() => {
    const near = rows.filter((row) => matches(row, elsewhere))
    return placeTree(
      near.map(({ activity, places }) => ({ id: activity.id, places })),
      pairsOf(pairs, near, elsewhere).flatMap((collision) => {
        const place = collisionPlace(collision)
        return place ? { place, ids: collision.pair.activity_ids } : []
      }),
    )
  }, [rows, pairs, writeFilters('', elsewhere)])
  return (
    <div class="columns" ref={panels}>
      <CollidesPanel
        collisions={passingPairs}
        total={pairs.length}
        comparing={comparingText(state)}
        isReading={isReading}
        filterQuery={filterQuery}
        onShow={(activity) => changeFilters({ activity }, true)}
      />
      <div class="aside">
        <KnowPanel
          repository={repository}
          notables={known}
          mayWrite={access === 'write' && !isStale}
          onChanged={onChanged}
        />
        <PlacesPanel
          root={tree}
          isFiltered={isFiltered(elsewhere)}
          path={filters.path}
          onPath={(path) => changeFilters({ path }, true)}
        />
      </div>
      <WorkPanel
        repository={repository}
        rows={passing}
        all={rows}
        isCut={truncated.activities}
        filters={filters}
        onFilters={changeFilters}
        isReading={isReading}
        filterQuery={filterQuery}
      />
    </div>
  )
}

function pairsOf(
  pairs: readonly ShownCollision[],
  rows: readonly WorkRow[],
  filters: Filters,
): readonly ShownCollision[] {
  if (!isFiltered(filters)) return pairs
  return collisionsAmong(
    pairs,
    rows.map(({ activity }) => activity),
  )
}
