import { useContext } from 'preact/hooks'
import { Scene } from '../hooks/use-view.ts'
import type { WorkRow } from '../model/board.ts'
import { type Filters, isFiltered, noFilters } from '../model/filters.ts'
import { visibleText } from '../model/visible-text.ts'
import { statusWords } from '../model/words.ts'

interface FilterBarProps {
  rows: readonly WorkRow[]
  hasMine: boolean
}

/** The filters of everything below. The address contains them too. */
export function FilterBar({ rows, hasMine }: FilterBarProps) {
  const { filters, changeFilters } = useContext(Scene)
  const known = rows.map(({ activity }) => activity.actor)
  const actors = [...new Set([...known, filters.actor])].filter(Boolean).sort((a, b) => a.localeCompare(b))
  const field = (name: keyof Filters, isStep = false) => ({
    value: filters[name],
    spellcheck: false,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      changeFilters({ [name]: value }, isStep),
  })
  return (
    <search class="flow filters" id="search">
      <input id="q" type="search" aria-label="Search" placeholder="Search people, paths, areas   /" {...field('q')} />
      <button
        type="button"
        class="button"
        id="mine"
        aria-pressed={filters.mine !== ''}
        disabled={!hasMine}
        onClick={() => changeFilters({ mine: filters.mine === '' ? '1' : '' }, true)}
      >
        Mine <span class="muted">{rows.filter(({ isMine }) => isMine).length}</span>
      </button>
      <input type="search" class="code-input" aria-label="Path" placeholder="Path" {...field('path')} />
      <select aria-label="Person" {...field('actor', true)}>
        <option value="">Everybody</option>
        {actors.map((actor) => (
          <option key={actor} value={actor}>
            {visibleText(actor)}
          </option>
        ))}
      </select>
      <select aria-label="State" {...field('status', true)}>
        <option value="">Any state</option>
        {Object.entries(statusWords).map(([status, word]) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="text-button"
        disabled={!isFiltered(filters)}
        onClick={() => changeFilters(noFilters, true)}
      >
        {filters.activity === '' ? 'Clear' : 'Show all work'}
      </button>
    </search>
  )
}
