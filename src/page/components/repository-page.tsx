import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { Connection, LiveView } from '../client/follow-repository.ts'
import { putFirst } from '../client/recent.ts'
import { useLive, useMine } from '../hooks/use-repository.ts'
import { type SessionView, useGithubUrl, useSession } from '../hooks/use-session.ts'
import { useNow } from '../hooks/use-view.ts'
import { agoText, isStale, repositoryLink } from '../model/words.ts'
import { Dashboard } from './dashboard.tsx'
import { Dot, Now } from './parts/marks.tsx'
import { Countdown, ProblemView } from './problem-view.tsx'
import { Loading, SessionOver, SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** The page of a repository: the sign-in, or for a signed-in person the work in flight. */
export function RepositoryPage({ repository }: { repository: RepositoryOfPage }) {
  const { owner, repo } = repository
  const view = useSession()
  const { session, problem, reload } = view
  useEffect(() => {
    document.title = `${owner}/${repo} · Headsup`
  }, [owner, repo])

  if (session?.login) return <LiveRepository repository={repository} session={view} />
  return (
    <>
      <TopBar repository={repository} />
      <main class="single" id="main">
        {problem ? (
          <ProblemView problem={problem} repository={repository} onRetry={reload} />
        ) : session ? (
          <SignIn session={session} title={`Sign in to see what is going on in ${owner}/${repo}`} />
        ) : (
          <Loading />
        )}
      </main>
    </>
  )
}

/** How often ages are updated, in ms. */
const agesEveryMs = 30_000
/** How long the page waits for the viewer's own work before it shows the rest, in ms. */
const ownWorkMs = 1_000

interface LiveRepositoryProps {
  repository: RepositoryOfPage
  session: SessionView
}

/** The work in flight in a repository, live. It stays on the page when the connection is lost. */
function LiveRepository({ repository, session: { session, isOver: hasEnded, end } }: LiveRepositoryProps) {
  const githubUrl = useGithubUrl()
  const { view, retry, stop } = useLive(repository)
  const { state, problem, connection, retryAt, lastReceivedAt } = view
  const now = useNow(5_000)
  const isOver = hasEnded || problem?.kind === 'session-over'
  const mine = useMine({ repository, state, isOn: connection !== 'lost' && !isOver, onSessionOver: end })
  const isOld = isOver || isStale(connection, lastReceivedAt, now)
  const hasState = state !== undefined
  useEffect(() => {
    // A name that never had an answer is not kept.
    if (hasState) putFirst(repository)
  }, [repository, hasState])
  const [hasWaited, setHasWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), ownWorkMs)
    return () => clearTimeout(timer)
  }, [])
  const isReady = mine !== undefined || hasWaited
  const minute = now - (now % agesEveryMs)
  const shown = isReady ? state : undefined
  return (
    <Now.Provider value={minute}>
      {state && (
        <nav class="skip" aria-label="Skip">
          <a href="#q">To the search</a>
          <a href="#collides">To what collides</a>
        </nav>
      )}
      <TopBar repository={repository} login={session?.login ?? null} onLeave={stop}>
        {(state || !problem) && <ConnectionMark view={view} isOld={isOld} now={now} />}
      </TopBar>
      <Said connection={connection} isOver={isOver} hasState={hasState} />
      <main key={`${!shown}`} class={shown ? `board${isOld ? ' is-stale' : ''}` : 'single'} id="main">
        {state && isOver && session && <SessionOver session={session} />}
        {state && isOld && !isOver && <LostNotice view={view} onRetry={retry} />}
        {shown ? (
          <Dashboard
            {...{ repository, mine, isOld, lastReceivedAt }}
            githubRepository={repositoryLink(githubUrl, repository)}
            state={shown}
            now={minute}
            refresh={retry}
          />
        ) : problem ? (
          <ProblemView {...{ problem, repository, session, githubUrl, retryAt }} onRetry={retry} />
        ) : (
          <Loading />
        )}
      </main>
    </Now.Provider>
  )
}

/** The state of the connection as a word, a shape and a colour. */
function ConnectionMark({ view, isOld, now }: { view: LiveView; isOld: boolean; now: number }) {
  const { connection, lastReceivedAt } = view
  const kind = connection === 'connecting' || !isOld ? connection : 'lost'
  const words = {
    connecting: 'Connecting …',
    live: 'Live',
    polling: 'Every 15 s',
    lost:
      lastReceivedAt === undefined ? 'Not connected' : `As of ${agoText(new Date(lastReceivedAt).toISOString(), now)}`,
  }
  return (
    <small class={`connection ${kind === 'lost' ? 'warn' : 'muted'}`}>
      <Dot colour={kind === 'live' ? 'good' : ''} isHollow={kind !== 'live'} />
      <span>{words[kind]}</span>
    </small>
  )
}

/** Says that the page may be old. It lies over a part of the page, so that nothing moves. */
function LostNotice({ view: { problem, retryAt }, onRetry }: { view: LiveView; onRetry(): void }) {
  return (
    <div class="flow notice">
      <p>
        <strong>The connection is lost.</strong> {problem?.message} What you see may be out of date.
      </p>
      <Countdown to={retryAt} />
      <button type="button" class="button" onClick={onRetry}>
        Try now
      </button>
    </div>
  )
}

interface SaidProps {
  connection: Connection
  isOver: boolean
  hasState: boolean
}

/** What screen readers hear of the connection. */
function Said({ connection, isOver, hasState }: SaidProps) {
  const wasLost = useRef(false)
  const isLost = connection === 'lost' && hasState
  wasLost.current ||= isLost
  const again = wasLost.current ? 'Live again.' : ''
  const lost = 'The connection is lost. What is shown may be out of date.'
  return (
    <p class="visually-hidden" role="status">
      {isOver ? 'Your session is over.' : isLost ? lost : again}
    </p>
  )
}
