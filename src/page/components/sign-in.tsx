import { useEffect, useState } from 'preact/hooks'
import { returnPath } from '../../core/return-path.ts'
import { type ApiResponse, faultOf, send } from '../client/requests.ts'
import type { BrowserSession } from '../hooks/use-session.ts'
import { Dialog } from './parts/controls.tsx'
import { TopBar } from './top-bar.tsx'

interface SignInProps {
  session: BrowserSession
  title: string
}

/** The ways to sign in. The form is one of the browser: the service answers it with the page. */
export function SignIn({ session: { ways }, title }: SignInProps) {
  const to = returnPath(location.pathname + location.search)
  const hasGithub = ways.includes('github')
  const others = <OtherWays to={to} />
  return (
    <section class="box stack" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{title}</h2>
      <p>You see here what you may see at GitHub. The service keeps no account and no token.</p>
      {hasGithub && (
        <p>
          <a class="button button-main" href={`/-/sign-in?to=${encodeURIComponent(to)}`}>
            Sign in with GitHub
          </a>
        </p>
      )}
      {hasGithub ? (
        <details class="stack">
          <summary>Another way</summary>
          {others}
        </details>
      ) : (
        others
      )}
    </section>
  )
}

function OtherWays({ to }: { to: string }) {
  return (
    <>
      <p>
        {to === '/' ? 'In a clone of a repository' : 'In your clone'}, run <code>headsup open</code>. It opens this page
        with the sign-in of your command line.
      </p>
      <form class="line-form" method="post" action="/-/session">
        <input type="hidden" name="to" value={to} />
        <label>
          Or paste a GitHub token
          <input type="password" name="token" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="button">
          Sign in
        </button>
      </form>
    </>
  )
}

/** Says that the session has ended, and offers to sign in again without leaving the page. */
export function SessionOver({ session }: { session: BrowserSession }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <div class="flow notice">
        <p>
          <strong>Your session is over.</strong> What you see is out of date.
        </p>
        <button type="button" class="button button-main" onClick={() => setIsAsking(true)}>
          Sign in again
        </button>
      </div>
      {isAsking && (
        <Dialog title="Sign in again" onClose={() => setIsAsking(false)}>
          {(close) => (
            <>
              <SignIn session={session} title="Sign in again" />
              <button type="button" class="text-button" onClick={close}>
                Not now
              </button>
            </>
          )}
        </Dialog>
      )}
    </>
  )
}

/** Read once, since the code is removed from the address. */
const code = location.pathname === '/-/enter' ? location.hash.slice(1) : ''
const to = returnPath(new URLSearchParams(location.search).get('to'))

/** The last step of `headsup open`: a confirmation to sign in as this person. */
export function EnterPage() {
  const [answer, setAnswer] = useState<ApiResponse<{ login: string }>>()
  useEffect(() => {
    history.replaceState(null, '', location.pathname + location.search)
    document.title = 'Sign in · Headsup'
    // Does not start a session.
    void send<{ login: string }>('POST', '/-/session/enter', { body: { code, peek: true } }).then(setAnswer)
  }, [])

  async function enter() {
    const reply = await send<{ login: string }>('POST', '/-/session/enter', { body: { code } })
    if (reply.ok) location.replace(to)
    else setAnswer(reply)
  }

  return (
    <>
      <TopBar />
      <main class="single" id="main">
        {!answer && <Loading />}
        {answer?.ok && (
          <section class="box stack" aria-labelledby="enter-title">
            <h1 id="enter-title">Sign in as @{answer.body.login}?</h1>
            <p>
              {to === '/' ? 'This browser' : `This browser then shows ${to.replace(/\?.*$/, '').slice(1)}, and`} acts
              with the GitHub sign-in of the command line that opened this page, for 8 hours or until you sign out.
            </p>
            <p class="flow">
              <button type="button" class="button button-main" onClick={enter}>
                Sign in as @{answer.body.login}
              </button>
              <a href="/">No, leave</a>
            </p>
          </section>
        )}
        {answer?.ok === false && (
          <section class="box stack" aria-labelledby="enter-title">
            <h1 id="enter-title">This sign-in did not work</h1>
            <p>{faultOf(answer)}</p>
            <p>
              A code works once, within 30 seconds. Run <code>headsup open</code> again.
            </p>
          </section>
        )}
      </main>
    </>
  )
}

export function Loading() {
  return (
    <p class="muted" role="status">
      Loading …
    </p>
  )
}
