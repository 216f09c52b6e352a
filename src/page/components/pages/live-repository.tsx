import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryName } from '../../../http/page-paths.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useObservation } from '../../hooks/use-observation.ts'
import type { SessionView } from '../../hooks/use-session.ts'
import { announcement } from '../../model/announce.ts'
import type { LiveState } from '../../model/live-state.ts'
import { observationNotice } from '../../model/observation.ts'
import { Now } from '../parts/age.tsx'
import { ConnectionMark } from './connection-mark.tsx'
import { Dashboard } from './dashboard.tsx'
import { Notices } from './notices.tsx'
import { ProblemView } from './problem-view.tsx'
import { TopBar } from './top-bar.tsx'

interface LiveRepositoryProps {
  repository: RepositoryName
  githubUrl: string | undefined
  session: SessionView
}

/** What is in flight in a repository, live. What is known stays when the connection is lost. */
export function LiveRepository({ repository, githubUrl, session }: LiveRepositoryProps) {
  const { view, retry } = useLive(repository, githubUrl)
  const { state, problem, connection, retryAt } = view
  const isOver = session.isOver || problem?.kind === 'session-over'
  const observation = useObservation(repository, connection === 'live' || connection === 'polling')
  const now = useNow(10_000)
  const said = useAnnouncement(state, connection, isOver)
  const isStale = isOver || connection === 'lost'
  return (
    <Now.Provider value={now}>
      <TopBar repository={repository} githubUrl={githubUrl} login={session.session?.login ?? null}>
        <ConnectionMark view={view} isOver={isOver} now={now} />
      </TopBar>
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {state ? (
        <main class={`board${isStale ? ' is-stale' : ''}`} id="main">
          <Notices
            session={session}
            isOver={isOver}
            problem={problem}
            retryAt={retryAt}
            onRetry={retry}
            observed={observation && observationNotice(observation)}
            isCut={state.isCut}
          />
          <Dashboard repository={repository} state={state} isStale={isStale} onChanged={retry} />
        </main>
      ) : (
        <main class="single" id="main">
          {problem ? (
            <ProblemView
              problem={problem}
              repository={repository}
              session={session}
              retryAt={retryAt}
              onRetry={retry}
            />
          ) : (
            <p class="loading" role="status">
              Loading …
            </p>
          )}
        </main>
      )}
    </Now.Provider>
  )
}

/** What a screen reader is told of a change. */
function useAnnouncement(state: LiveState | undefined, connection: string, isOver: boolean): string {
  const before = useRef<LiveState | undefined>(undefined)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const text = state ? announcement(before.current, state) : ''
    before.current = state
    if (text) setSaid(text)
  }, [state])
  useEffect(() => {
    if (isOver) setSaid('Your session is over.')
    else if (connection === 'lost' && before.current)
      setSaid('The connection is lost. What is shown may be out of date.')
    else if (connection === 'live') setSaid((text) => (text === '' ? '' : 'Live again.'))
  }, [connection, isOver])
  return said
}
