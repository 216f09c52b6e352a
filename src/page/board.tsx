import { useEffect, useState } from 'preact/hooks'
import { isFreeze } from '../core/notable.ts'
import { sentenceFor } from '../core/texts/sentence.ts'
import type { Api, Lists } from './api.ts'
import { Cards } from './cards.tsx'
import { Commands } from './commands.tsx'
import {
  cardsOf,
  type Filter,
  finder,
  pairsOf,
  readFilter,
  shownCards,
  shownWork,
  sortedNotables,
  writeFilter,
} from './model.ts'
import { Freezes, Know } from './notables.tsx'
import { SentenceView } from './sentence.tsx'
import { Work } from './work.tsx'

interface Props {
  lists: Lists
  repository: string
  login: string | null
  now: Date
  api: Api
  onChange(): void
}

const notFound = 'Nothing here has all of these words.'

/** All that is known of a repository, computed from the last answers. */
export function Board({ lists, repository, login, now, api, onChange }: Props) {
  const { activities, notables, collisions, isCut } = lists
  const { items, observed, truncated } = collisions
  const [filter, setFilter] = useState(() => readFilter(location.search))
  const isWhole = !isCut && !truncated
  const sentence = sentenceFor({ repository, login, activities, collisions: items, notables, isWhole, observed, now })
  useEffect(() => {
    document.title = `${sentence.count > 0 ? `(${sentence.count}) ` : ''}${repository} · Headsup`
  }, [sentence.count, repository])
  function change(next: Filter) {
    setFilter(next)
    history.replaceState(null, '', writeFilter(next))
  }
  const isEmpty = activities.length === 0
  const finds = finder(isEmpty ? '' : filter.q)
  const known = sortedNotables(notables).filter(({ title, summary, scope }) => {
    return finds([title, summary, ...scope.paths, ...scope.areas])
  })
  const nothingRaised = known.length < notables.length ? notFound : 'Nobody has raised anything here.'
  return (
    <>
      <Freezes notables={notables.filter((one) => isFreeze(one, now))} />
      <SentenceView sentence={sentence} />
      {!isEmpty && <Search filter={filter} onFilter={change} />}
      <div class="columns stack">
        {isEmpty ? <Commands /> : <InFlight {...{ lists, filter, isWhole, login, now, api, onChange }} />}
        <Know notables={known} api={api} onChange={onChange} empty={nothingRaised} />
      </div>
    </>
  )
}

interface InFlightProps extends Omit<Props, 'repository'> {
  filter: Filter
  /** Whether all of it was compared. */
  isWhole: boolean
}

function InFlight({ lists, filter, isWhole, login, now, api, onChange }: InFlightProps) {
  const cards = cardsOf(lists, login)
  const shown = shownCards(cards, filter)
  const notShown = filter.q === '' ? 'None of it is yours.' : notFound
  const noPair = isWhole ? 'No two works that are known collide.' : 'No two works of those that were compared collide.'
  return (
    <div class="stack">
      <Cards cards={shown} login={login} now={now} empty={shown.length < cards.length ? notShown : noPair} />
      {lists.collisions.truncated && <p class="muted">Not all works were compared: collisions may be missing.</p>}
      <Work
        work={shownWork(lists.activities, filter, login)}
        pairs={pairsOf(lists)}
        empty={notShown}
        {...{ login, now, api, onChange }}
      />
      {lists.isCut && <p class="muted">The newest 500 are shown.</p>}
    </div>
  )
}

function Search({ filter, onFilter }: { filter: Filter; onFilter(filter: Filter): void }) {
  const label = 'Search people, paths, titles'
  return (
    <search class="row">
      <input
        class="grow"
        type="search"
        value={filter.q}
        placeholder={label}
        aria-label={label}
        onInput={({ currentTarget: { value } }) => onFilter({ ...filter, q: value })}
      />
      <label class="button">
        <input
          type="checkbox"
          checked={filter.mine}
          onChange={({ currentTarget: { checked } }) => onFilter({ ...filter, mine: checked })}
        />{' '}
        Mine
      </label>
    </search>
  )
}
