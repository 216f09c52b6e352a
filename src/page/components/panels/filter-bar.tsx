import type { ChangeFilters } from '../../hooks/use-filters.ts'
import { statusOptions } from '../../model/describe.ts'
import { type Filters, isFiltered, noFilters } from '../../model/filters.ts'
import { visibleText } from '../../model/visible-text.ts'
import type { WorkRow } from '../../model/work-rows.ts'
import { Icon } from '../parts/icon.tsx'

interface FilterBarProps {
  rows: readonly WorkRow[]
  filters: Filters
  onFilters: ChangeFilters
}

/** The filters of the table. The address contains them too. */
export function FilterBar({ rows, filters, onFilters }: FilterBarProps) {
  const known = new Set(rows.map(({ activity }) => activity.actor))
  if (filters.actor !== '') known.add(filters.actor)
  const actors = [...known].sort((a, b) => a.localeCompare(b))
  return (
    <search class="filters">
      <label class="filter filter-q">
        <Icon name="search" />
        <span class="visually-hidden">Search the work</span>
        <input
          type="search"
          value={filters.q}
          placeholder="Search"
          onInput={({ currentTarget }) => onFilters({ q: currentTarget.value })}
        />
      </label>
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
          {statusOptions.map(([status, word]) => (
            <option key={status} value={status}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="text-button filter-clear"
        disabled={!isFiltered(filters)}
        onClick={() => onFilters(noFilters, true)}
      >
        {filters.activity === '' ? 'Clear' : 'Show all work'}
      </button>
    </search>
  )
}
