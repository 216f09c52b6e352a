import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { LiveView } from '../client/follow-repository.ts'
import { putFirst } from '../client/recent.ts'
import { useLive, useMine } from '../hooks/use-repository.ts'
import { type SessionView, useGithubUrl, useSession } from '../hooks/use-session.ts'
import { useNow } from '../hooks/use-view.ts'
import { agoText, isStale, repositoryLink } from '../model/words.ts'
import { Dashboard } from './dashboard.tsx'
import { Now } from './parts/marks.tsx'
import { Countdown, ProblemView } from './problem-view.tsx'
import { SessionOver, SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** The page of a repository: the sign-in, or for a signed-in person the work in flight. */
export function RepositoryPage({ repository }: { repository: RepositoryOfPage }) {
  const { owner, repo } = repository
  const view = useSession()
  const githubUrl = useGithubUrl()
  const { session, problem, reload } = view
  useEffect(() => {
    document.title = `${owner}/${repo} · Headsup`
  }, [owner, repo])

  if (session?.login) return <LiveRepository repository={repository} githubUrl={githubUrl} session={view} />
  return (
    <>
      <TopBar repository={repository} />
      <main class="single" id="main">
        {problem ? (
          <ProblemView problem={problem} repository={repository} onRetry={reload} />
        ) : session ? (
          <SignIn session={session} title={`Sign in to see what is going on in ${owner}/${repo}`} />
        ) : (
          <p class="loading" role="status">
            Loading …
          </p>
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
  githubUrl: string | undefined
  session: SessionView
}

/** The work in flight in a repository, live. It stays on the page when the connection is lost. */
function LiveRepository({ repository, githubUrl, session }: LiveRepositoryProps) {
  const { view, retry, stop } = useLive(repository, githubUrl)
  const { state, problem, connection, retryAt } = view
  const now = useNow(5_000)
  const isOver = session.isOver || problem?.kind === 'session-over'
  const isOn = connection !== 'lost' && !isOver
  const mine = useMine({ repository, state, isOn, onSessionOver: session.end })
  const isOld = isOver || isStale(view, now)
  const { owner, repo } = repository
  const hasState = state !== undefined
  useEffect(() => {
    // A name that never had an answer is not kept.
    if (hasState) putFirst({ owner, repo })
  }, [owner, repo, hasState])
  const isReady = useIsReady(mine !== undefined)
  // An identical element is not rendered again when only the time changes.
  const minute = now - (now % agesEveryMs)
  const oldSince = isOld ? view.lastReceivedAt : undefined
  const dashboard = useMemo(
    () =>
      state &&
      isReady && (
        <Dashboard
          repository={repository}
          githubRepository={repositoryLink(githubUrl, repository)}
          state={state}
          mine={mine}
          now={minute}
          oldSince={oldSince}
          isOld={isOld}
          onChanged={retry}
        />
      ),
    [repository, githubUrl, state, isReady, mine, minute, isOld, oldSince, retry],
  )
  return (
    <Now.Provider value={minute}>
      {state && (
        <nav class="skip" aria-label="Skip">
          <a href="#q">To the search</a>
          <a href="#collides">To what collides</a>
        </nav>
      )}
      <TopBar repository={repository} login={session.session?.login ?? null} onLeave={stop}>
        {(state || !problem) && <ConnectionMark view={view} isOld={isOld} now={now} />}
      </TopBar>
      <Said connection={connection} isOver={isOver} hasState={hasState} />
      <main
        key={dashboard ? 'board' : 'single'}
        class={dashboard ? `board${isOld ? ' is-stale' : ''}` : 'single'}
        id="main"
      >
        {state && isOver && session.session && <SessionOver session={session.session} />}
        {state && isOld && !isOver && <LostNotice view={view} onRetry={retry} />}
        {dashboard ||
          (problem ? (
            <ProblemView
              problem={problem}
              repository={repository}
              session={session.session}
              retryAt={retryAt}
              onRetry={retry}
            />
          ) : (
            <p class="loading" role="status">
              Loading …
            </p>
          ))}
      </main>
    </Now.Provider>
  )
}

/** Whether the viewer's own work is known, or has let the page wait for too long. */
function useIsReady(isKnown: boolean): boolean {
  const [hasWaited, setHasWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), ownWorkMs)
    return () => clearTimeout(timer)
  }, [])
  return isKnown || hasWaited
}

/** The state of the connection as a word, a shape and a colour. */
function ConnectionMark({ view, isOld, now }: { view: LiveView; isOld: boolean; now: number }) {
  const { connection, lastReceivedAt } = view
  const kind =
    connection === 'connecting' ? connection : isOld ? 'lost' : connection === 'polling' ? connection : 'live'
  const age = lastReceivedAt === undefined ? '' : agoText(new Date(lastReceivedAt).toISOString(), now)
  const words = {
    connecting: 'Connecting …',
    live: 'Live',
    polling: 'Every 15 s',
    lost: lastReceivedAt === undefined ? 'Not connected' : `As of ${age}`,
  }
  return (
    <span class={`connection connection-${kind}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="3.5" />
      </svg>
      {words[kind]}
    </span>
  )
}

/** Says that the page may be old. It lies over a part of the page, so that nothing moves. */
function LostNotice({ view: { problem, retryAt }, onRetry }: { view: LiveView; onRetry(): void }) {
  return (
    <div class="notice">
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
  connection: LiveView['connection']
  isOver: boolean
  hasState: boolean
}

/** What screen readers hear of the connection. */
function Said({ connection, isOver, hasState }: SaidProps) {
  const wasLost = useRef(false)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (isOver) setSaid('Your session is over.')
    else if (connection === 'lost' && hasState) {
      wasLost.current = true
      setSaid('The connection is lost. What is shown may be out of date.')
    } else if (connection === 'live' && wasLost.current) setSaid('Live again.')
  }, [connection, isOver, hasState])
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  )
}
