import { useEffect } from 'preact/hooks'
import { sentenceFor } from '../core/texts/sentence.ts'
import { ago } from '../core/texts/words.ts'
import type { Problem, Session } from './api.ts'
import { Board } from './board.tsx'
import { Link } from './parts.tsx'
import { SentenceView } from './sentence.tsx'
import { useNow, useRepository } from './use-repository.ts'

interface Props {
  repository: string
  session: Session
  onSignedOut(why: string): void
}

/** The page of a repository: reads, then shows what it read. */
export function Repository({ repository, session, onSignedOut }: Props) {
  const { api, seen, readSoon } = useRepository(repository)
  const now = useNow()
  const { lists, problem, readAt } = seen
  useEffect(() => {
    if (problem?.code === 'unauthenticated' || problem?.code === 'invalid_token') onSignedOut(problem.message)
  }, [problem])
  if (lists === null && problem !== null) return <Failed problem={problem} onRetry={readSoon} />
  if (lists === null)
    return (
      <main class="board">
        <SentenceView sentence={sentenceFor(null)} />
      </main>
    )
  return (
    <main class="board stack">
      <Board lists={lists} repository={repository} login={session.login} now={now} api={api} onChange={readSoon} />
      {problem !== null && (
        <div class="panel bar row late medium" role="alert">
          <strong>As of {ago(new Date(readAt), now)}.</strong>
          <span class="grow">{problem.message}</span>
          <TryAgain onRetry={readSoon} />
        </div>
      )}
    </main>
  )
}

const notFound = 'There is no repository of this name, or your token does not see it.'

function Failed({ problem, onRetry }: { problem: Problem; onRetry(): void }) {
  return (
    <main class="narrow">
      <section class="panel pad stack" role="alert">
        <h1>This repository cannot be shown</h1>
        <p>{problem.code === 'not_found' ? notFound : problem.message}</p>
        <p class="row">
          {problem.link !== null && (
            <Link to={problem.link} kind="button main">
              Authorise the token
            </Link>
          )}
          <TryAgain onRetry={onRetry} />
          <a href="/">Another repository</a>
        </p>
      </section>
    </main>
  )
}

function TryAgain({ onRetry }: { onRetry(): void }) {
  return (
    <button type="button" class="button" onClick={onRetry}>
      Try again
    </button>
  )
}
