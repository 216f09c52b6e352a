import { useEffect, useState } from 'preact/hooks'
import { ago } from '../core/texts/words.ts'
import type { Lists, Problem, Session } from './api.ts'
import { Cards } from './cards.tsx'
import {
  cardsOf,
  countsOf,
  type Filter,
  finder,
  isFreeze,
  readFilter,
  shownCards,
  shownWork,
  writeFilter,
} from './model.ts'
import { Freezes, Know } from './notables.tsx'
import { Link } from './parts.tsx'
import { SentenceView, sentenceOf } from './sentence.tsx'
import { useNow, useRepository } from './use-repository.ts'
import { Work } from './work.tsx'

interface Props {
  repository: string
  session: Session
  onSignedOut(why: string): void
}

/** The page of a repository: reads, then shows what it read. */
export function Repository({ repository, session, onSignedOut }: Props) {
  const { api, seen, readNow } = useRepository(repository)
  const now = useNow()
  const { lists, problem, readAt } = seen
  useEffect(() => {
    if (problem?.code === 'unauthenticated' || problem?.code === 'invalid_token') onSignedOut(problem.message)
  }, [problem])
  if (lists === null && problem === null) return <Waiting />
  if (lists === null) return <Failed problem={problem} onRetry={readNow} />
  return (
    <main class="board">
      {problem !== null && <Late problem={problem} readAt={readAt} now={now} onRetry={readNow} />}
      <Board lists={lists} repository={repository} login={session.login} now={now} api={api} onChange={readNow} />
    </main>
  )
}

interface BoardProps {
  lists: Lists
  repository: string
  login: string | null
  now: Date
  api: Parameters<typeof Work>[0]['api']
  onChange(): void
}

function Board({ lists, repository, login, now, api, onChange }: BoardProps) {
  const [filter, setFilter] = useState(() => readFilter(location.search))
  const cards = cardsOf(lists, login)
  const sentence = sentenceOf({ lists, login, now })
  const finds = finder(filter)
  const isFiltered = filter.q !== '' || filter.mine
  const notables = lists.notables.filter(({ title, summary, scope }) => {
    return finds([title, summary, ...scope.paths, ...scope.areas])
  })
  useEffect(() => {
    document.title = `${sentence.count > 0 ? `(${sentence.count}) ` : ''}${repository} · Headsup`
  }, [sentence.count, repository])
  function change(next: Filter) {
    setFilter(next)
    history.replaceState(null, '', writeFilter(next))
  }
  const notFound = 'Nothing here has all of these words.'
  const noPair = sentence.kind === 'comparing' ? 'Comparing …' : 'No two works that are known meet.'
  return (
    <>
      <Freezes notables={lists.notables.filter(isFreeze)} />
      <SentenceView sentence={sentence} />
      {lists.activities.length === 0 && <Commands />}
      <search class="filters row">
        <input
          class="grow"
          type="search"
          value={filter.q}
          placeholder="Search people, paths, titles"
          aria-label="Search people, paths, titles"
          onInput={({ currentTarget: { value } }) => change({ ...filter, q: value })}
        />
        <label class="button">
          <input
            type="checkbox"
            checked={filter.mine}
            onChange={({ currentTarget: { checked } }) => change({ ...filter, mine: checked })}
          />
          Mine
        </label>
      </search>
      <div class="columns">
        <div class="stack">
          <Cards
            cards={shownCards(cards, filter)}
            login={login}
            now={now}
            empty={isFiltered && cards.length > 0 ? notFound : noPair}
          />
          <Work
            work={shownWork(lists.activities, filter, login)}
            counts={countsOf(lists)}
            empty={
              isFiltered && lists.activities.length > 0 ? notFound : 'Nobody has work in flight that is known here.'
            }
            {...{ login, now, api, onChange }}
          />
          {lists.isCut && <p class="muted">The newest 500 are shown.</p>}
        </div>
        <Know
          notables={notables}
          api={api}
          onChange={onChange}
          empty={isFiltered && lists.notables.length > 0 ? notFound : 'Nothing is raised.'}
        />
      </div>
    </>
  )
}

/** Where nothing is in flight: how work gets here. */
function Commands() {
  return (
    <section class="panel pad stack" aria-labelledby="commands">
      <h2 id="commands">Nothing is in flight yet</h2>
      <p>Open pull requests appear by themselves. Work that has none yet is told in three commands:</p>
      <dl class="commands">
        <dt>
          <code>headsup check src/auth</code>
        </dt>
        <dd>Does it collide? Before you start.</dd>
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

function Waiting() {
  return (
    <main class="board">
      <section class="panel pad sentence is-comparing" role="status">
        <h1>Comparing the work in flight …</h1>
        <p class="muted">Reading what is known of this repository.</p>
      </section>
    </main>
  )
}

function Failed({ problem, onRetry }: { problem: Problem | null; onRetry(): void }) {
  return (
    <main class="narrow">
      <section class="panel pad stack" role="alert">
        <h1>This repository can not be shown</h1>
        <p>{problem?.message}</p>
        {problem?.code === 'not_found' && (
          <p>Either there is no repository of this name, or your token does not see it.</p>
        )}
        <p class="row">
          {problem?.link ? (
            <Link to={problem.link} kind="button main">
              Authorise the token
            </Link>
          ) : null}
          <button type="button" class="button" onClick={onRetry}>
            Try again
          </button>
          <a href="/">Another repository</a>
        </p>
      </section>
    </main>
  )
}

interface LateProps {
  problem: Problem
  readAt: number
  now: Date
  onRetry(): void
}

/** What is shown is older than it should be. */
function Late({ problem, readAt, now, onRetry }: LateProps) {
  return (
    <div class="bar late" role="alert">
      <strong>As of {ago(new Date(readAt), now)}.</strong>
      <span class="grow">{problem.message}</span>
      <button type="button" class="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
