import type { ChangeFilters } from '../hooks/use-view.ts'
import type { WorkRow } from '../model/board.ts'
import { type Filters, isFiltered, noFilters } from '../model/filters.ts'
import { visibleText } from '../model/visible-text.ts'
import { statusWords } from '../model/words.ts'
import { Icon } from './parts/marks.tsx'

interface FilterBarProps {
  rows: readonly WorkRow[]
  filters: Filters
  /** Whether the viewer's account is known. */
  hasMine: boolean
  onFilters: ChangeFilters
}

/** The filters of everything below. The address contains them too. */
export function FilterBar({ rows, filters, hasMine, onFilters }: FilterBarProps) {
  const known = new Set(rows.map(({ activity }) => activity.actor))
  if (filters.actor !== '') known.add(filters.actor)
  const actors = [...known].sort((a, b) => a.localeCompare(b))
  const mine = rows.filter(({ isMine }) => isMine).length
  return (
    <search class="filters" id="search">
      <label class="filter filter-q">
        <Icon name="search" />
        <span class="visually-hidden">Search</span>
        <input
          id="q"
          type="search"
          value={filters.q}
          placeholder="Search people, paths, areas   /"
          onInput={({ currentTarget }) => onFilters({ q: currentTarget.value })}
        />
      </label>
      <button
        type="button"
        class="button chip"
        aria-pressed={filters.mine !== ''}
        disabled={!hasMine}
        onClick={() => onFilters({ mine: filters.mine === '' ? '1' : '' }, true)}
      >
        Mine <span class="count">{mine}</span>
      </button>
      <label class="filter">
        <span class="visually-hidden">Path</span>
        <input
          type="search"
          class="code-input"
          value={filters.path}
          placeholder="Path"
          spellcheck={false}
          onInput={({ currentTarget }) => onFilters({ path: currentTarget.value })}
        />
      </label>
      <label class="filter">
        <span class="visually-hidden">Person</span>
        <select value={filters.actor} onChange={({ currentTarget }) => onFilters({ actor: currentTarget.value }, true)}>
          <option value="">Everybody</option>
          {actors.map((actor) => (
            <option key={actor} value={actor}>
              {visibleText(actor)}
            </option>
          ))}
        </select>
      </label>
      <label class="filter">
        <span class="visually-hidden">State</span>
        <select
          value={filters.status}
          onChange={({ currentTarget }) => onFilters({ status: currentTarget.value }, true)}
        >
          <option value="">Any state</option>
          {Object.entries(statusWords).map(([status, word]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="text-button"
        disabled={!isFiltered(filters)}
        onClick={() => onFilters(noFilters, true)}
      >
        {filters.activity === '' ? 'Clear' : 'Show all work'}
      </button>
    </search>
  )
}
