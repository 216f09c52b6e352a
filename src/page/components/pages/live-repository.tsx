import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useObservation } from '../../hooks/use-observation.ts'
import type { SessionView } from '../../hooks/use-session.ts'
import { announcement } from '../../model/announce.ts'
import { isStale } from '../../model/freshness.ts'
import type { LiveState } from '../../model/live-state.ts'
import { Now } from '../parts/age.tsx'
import { ConnectionMark } from './connection-mark.tsx'
import { Dashboard } from './dashboard.tsx'
import { LostNotice } from './lost-notice.tsx'
import { ProblemView } from './problem-view.tsx'
import { SessionOver } from './session-over.tsx'
import { StatusStrip } from './status-strip.tsx'
import { TopBar } from './top-bar.tsx'

/** How often ages are updated, in ms. */
const agesEveryMs = 30_000

interface LiveRepositoryProps {
  repository: RepositoryOfPage
  githubUrl: string | undefined
  session: SessionView
}

/** The work in flight in a repository, live. It stays on the page when the connection is lost. */
export function LiveRepository({ repository, githubUrl, session }: LiveRepositoryProps) {
  const { view, retry, stop } = useLive(repository, githubUrl)
  const { state, problem, connection, retryAt } = view
  const now = useNow(5_000)
  const isOver = session.isOver || problem?.kind === 'session-over'
  const observation = useObservation(repository, connection === 'live' || connection === 'polling', session.end)
  const said = useAnnouncement(state, connection, isOver)
  const isOld = isOver || isStale(view, now)
  // An identical element is not rendered again when only the time changes.
  const dashboard = useMemo(
    () => state && <Dashboard repository={repository} state={state} isStale={isOld} onChanged={retry} />,
    [repository, state, isOld, retry],
  )
  return (
    <Now.Provider value={now - (now % agesEveryMs)}>
      <TopBar repository={repository} githubUrl={githubUrl} login={session.session?.login ?? null} onLeave={stop}>
        {(state || !problem) && <ConnectionMark view={view} isOver={isOver} now={now} />}
      </TopBar>
      <p class="visually-hidden" role="status">
        {said}
      </p>
      {state ? (
        <main key="board" class={`board${isOld ? ' is-stale' : ''}`} id="main">
          <StatusStrip
            state={state}
            observation={observation}
            oldSince={isOld ? view.lastReceivedAt : undefined}
            now={now}
          />
          {isOver && session.session ? (
            <SessionOver session={session.session} />
          ) : (
            isOld && <LostNotice view={view} onRetry={retry} />
          )}
          {dashboard}
        </main>
      ) : (
        <main key="single" class="single" id="main">
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

/** The text for screen readers after a change. */
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
