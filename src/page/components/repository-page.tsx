import { useEffect, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { putFirst } from '../client/recent.ts'
import { useLive, useMine } from '../hooks/use-repository.ts'
import { type BrowserSession, useGithubUrl, useSession } from '../hooks/use-session.ts'
import { useNow } from '../hooks/use-view.ts'
import { isStale, repositoryLink } from '../model/words.ts'
import { Dashboard } from './dashboard.tsx'
import { CloseButton } from './dialogs.tsx'
import { Now } from './parts/marks.tsx'
import { ConnectionMark, LossNotice, ProblemView } from './problem-view.tsx'
import { Loading, SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'

/** The page of a repository: the sign-in, or for a signed-in person the work in flight. */
export function RepositoryPage({ repository }: { repository: RepositoryOfPage }) {
  const { session, problem, reload } = useSession()
  const name = `${repository.owner}/${repository.repo}`
  useEffect(() => {
    document.title = `${name} · Headsup`
  }, [name])

  if (session?.login) return <LiveRepository repository={repository} session={session} />
  return (
    <>
      <TopBar repository={repository} />
      <main class="single" id="main">
        {problem ? (
          <ProblemView problem={problem} onRetry={reload} />
        ) : session ? (
          <SignIn session={session} title={`Sign in to see what is going on in ${name}`} />
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
  session: BrowserSession
}

/** The work in flight in a repository, live. It stays on the page when the connection is lost. */
function LiveRepository({ repository, session }: LiveRepositoryProps) {
  const githubUrl = useGithubUrl()
  const { view, following } = useLive(repository)
  const { state, problem, connection, retryAt, lastReceivedAt } = view
  const mine = useMine(repository, state, connection !== 'lost')
  const now = useNow(5_000)
  const isOld = isStale(connection, lastReceivedAt, now)
  const hasState = state !== undefined
  useEffect(() => {
    // A name that never had an answer is not kept.
    if (hasState) putFirst(repository)
  }, [repository, hasState])
  const [hasWaited, setHasWaited] = useState(false)
  useEffect(() => {
    setTimeout(() => setHasWaited(true), ownWorkMs)
  }, [])
  const minute = now - (now % agesEveryMs)
  const shown = mine || hasWaited ? state : undefined
  return (
    <Now.Provider value={minute}>
      {state && (
        <nav class="skip" aria-label="Skip">
          <a href="#q">To the search</a>
          <a href="#collides">To what collides</a>
        </nav>
      )}
      <TopBar repository={repository} login={session.login} onLeave={following.stop}>
        {(state || !problem) && <ConnectionMark view={view} isOld={isOld} now={now} />}
      </TopBar>
      <div role="status">
        {state &&
          (isOld ? (
            <LossNotice view={view} onRetry={following.retry} />
          ) : (
            <span class="visually-hidden">This page is live.</span>
          ))}
      </div>
      <dialog id="sign-in" aria-label="Sign in again">
        <SignIn session={session} title="Sign in again">
          <CloseButton>Not now</CloseButton>
        </SignIn>
      </dialog>
      <main key={`${!shown}`} class={shown ? `stack board${isOld ? ' is-stale' : ''}` : 'single'} id="main">
        {shown ? (
          <Dashboard
            {...{ repository, mine, isOld }}
            githubRepository={repositoryLink(githubUrl, repository)}
            state={shown}
            now={minute}
            refresh={following.retry}
          />
        ) : problem ? (
          <ProblemView {...{ problem, session, githubUrl, retryAt }} onRetry={following.retry} />
        ) : (
          <Loading />
        )}
      </main>
    </Now.Provider>
  )
}
