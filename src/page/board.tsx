import { useEffect, useState } from 'preact/hooks'
import { isFreeze } from '../core/texts/sentence.ts'
import type { Api, Lists } from './api.ts'
import { Cards } from './cards.tsx'
import {
  cardsOf,
  countsOf,
  type Filter,
  finder,
  readFilter,
  shownCards,
  shownWork,
  sortedNotables,
  writeFilter,
} from './model.ts'
import { Freezes, Know } from './notables.tsx'
import { SentenceView, sentenceOf } from './sentence.tsx'
import { Work } from './work.tsx'

interface Props {
  lists: Lists
  repository: string
  login: string | null
  now: Date
  api: Api
  onChange(): void
}

/** All that is known of a repository, computed from the last answers. */
export function Board({ lists, repository, login, now, api, onChange }: Props) {
  const [filter, setFilter] = useState(() => readFilter(location.search))
  const sentence = sentenceOf({ lists, login, now })
  useEffect(() => {
    document.title = `${sentence.count > 0 ? `(${sentence.count}) ` : ''}${repository} · Headsup`
  }, [sentence.count, repository])
  function change(next: Filter) {
    setFilter(next)
    history.replaceState(null, '', writeFilter(next))
  }
  const isEmpty = lists.activities.length === 0
  const finds = finder(isEmpty ? { q: '', mine: false } : filter)
  const notables = sortedNotables(lists.notables).filter(({ title, summary, scope }) => {
    return finds([title, summary, ...scope.paths, ...scope.areas])
  })
  const shared = { filter, login, now, api, onChange }
  return (
    <>
      <Freezes notables={lists.notables.filter(isFreeze)} />
      <SentenceView sentence={sentence} />
      {!isEmpty && <Search filter={filter} onFilter={change} />}
      <div class="columns">
        {isEmpty ? <Commands /> : <InFlight lists={lists} isComparing={sentence.kind === 'comparing'} {...shared} />}
        <Know
          notables={notables}
          api={api}
          onChange={onChange}
          empty={notables.length < lists.notables.length ? notFound : 'Nobody has raised anything here.'}
        />
      </div>
    </>
  )
}

const notFound = 'Nothing here has all of these words.'

interface InFlightProps extends Omit<Props, 'repository'> {
  filter: Filter
  isComparing: boolean
}

function InFlight({ lists, filter, isComparing, login, now, api, onChange }: InFlightProps) {
  const cards = cardsOf(lists, login)
  const shown = shownCards(cards, filter)
  const noPair = isComparing ? 'Comparing …' : 'No two works that are known meet.'
  return (
    <div class="stack">
      <Cards cards={shown} login={login} now={now} empty={shown.length < cards.length ? notFound : noPair} />
      <Work
        work={shownWork(lists.activities, filter, login)}
        counts={countsOf(lists)}
        empty={filter.q === '' ? 'None of it is yours.' : notFound}
        {...{ login, now, api, onChange }}
      />
      {lists.isCut && <p class="muted">The newest 500 are shown.</p>}
    </div>
  )
}

function Search({ filter, onFilter }: { filter: Filter; onFilter(filter: Filter): void }) {
  const label = 'Search people, paths, titles'
  return (
    <search class="filters row">
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
        />
        Mine
      </label>
    </search>
  )
}

/** Where nothing is in flight: how work gets here. */
function Commands() {
  return (
    <section class="panel pad stack" aria-labelledby="commands">
      <h2 id="commands">Nobody has work in flight that is known here</h2>
      <p>Open pull requests appear by themselves. Work without one is told by three commands:</p>
      <dl class="commands">
        <dt>
          <code>headsup check src/auth</code>
        </dt>
        <dd>Before you start: does it collide?</dd>
        <dt>
          <code>headsup start "Rework the login"</code>
        </dt>
        <dd>Tell others what you work on.</dd>
        <dt>
          <code>headsup done</code>
        </dt>
        <dd>When you are done. A merge does it by itself.</dd>
      </dl>
      <p class="muted">
        <a href="/-/headsup.mjs">Get the command line</a>, one file that needs Node 20.
      </p>
    </section>
  )
}
