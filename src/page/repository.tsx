import { useEffect } from 'preact/hooks'
import { ago } from '../core/texts/words.ts'
import type { Problem, Session } from './api.ts'
import { Board } from './board.tsx'
import { Link } from './parts.tsx'
import { useNow, useRepository } from './use-repository.ts'

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

const notFound = 'There is no repository of this name, or your token does not see it.'

function Failed({ problem, onRetry }: { problem: Problem | null; onRetry(): void }) {
  return (
    <main class="narrow">
      <section class="panel pad stack" role="alert">
        <h1>This repository can not be shown</h1>
        <p>{problem?.code === 'not_found' ? notFound : problem?.message}</p>
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
