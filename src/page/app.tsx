import { useEffect, useState } from 'preact/hooks'
import { readSession, type Session, signOut } from './api.ts'
import { Fault } from './parts.tsx'
import { Repository } from './repository.tsx'
import { SignIn } from './sign-in.tsx'
import { Start } from './start.tsx'

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The address says what is shown: `/`, or `/OWNER/REPO`. */
export function App() {
  const repository = location.pathname === '/' ? null : location.pathname.slice(1)
  const [session, setSession] = useState<Session | null>(null)
  const [fault, setFault] = useState('')

  const load = () => readSession().then(onSession, (error: Error) => setFault(error.message))
  useEffect(() => void load(), [])

  function onSession(next: Session) {
    setSession(next)
    // Why the session before it ended is not said again.
    setFault('')
  }

  /** The token does not count any more: it is over, or GitHub has revoked it. */
  function onSignedOut(why: string) {
    setSession((before) => before && { ...before, signed_in: false, login: null })
    setFault(why)
  }

  return (
    <>
      <header class="top row">
        <a class="brand" href="/">
          <img src={icon} alt="" width="24" height="24" />
          Headsup
        </a>
        <strong class="grow">
          <bdi>{repository}</bdi>
        </strong>
        {session?.signed_in && (
          <>
            <span class="muted">{session.login ?? 'Signed in'}</span>
            <button
              type="button"
              class="button small"
              onClick={() => signOut().then(onSession, (error: Error) => alert(error.message))}
            >
              Sign out
            </button>
          </>
        )}
      </header>
      {session === null ? (
        <main class="narrow">
          {fault !== '' && (
            <p class="row">
              <Fault>{fault}</Fault>
              <button type="button" class="button small" onClick={load}>
                Try again
              </button>
            </p>
          )}
        </main>
      ) : repository === null ? (
        <Start session={session} onSession={onSession} />
      ) : session.signed_in ? (
        <Repository repository={repository} session={session} onSignedOut={onSignedOut} />
      ) : (
        <main class="narrow">
          <section class="panel pad stack">
            <h1>
              Sign in to see <bdi>{repository}</bdi>
            </h1>
            <Fault>{fault}</Fault>
            <SignIn session={session} onSession={onSession} />
          </section>
        </main>
      )}
    </>
  )
}
