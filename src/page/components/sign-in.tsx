import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { returnPath } from '../../core/return-path.ts'
import { type ApiResponse, send } from '../client/requests.ts'
import type { BrowserSession } from '../hooks/use-session.ts'
import { TopBar } from './top-bar.tsx'

interface SignInProps {
  session: BrowserSession
  title: string
  children?: ComponentChildren
}

/** The ways to sign in. The form is one of the browser: the service answers it with the page. */
export function SignIn({ session: { ways }, title, children }: SignInProps) {
  const to = returnPath(location.pathname + location.search)
  const hasGithub = ways.includes('github')
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
      <details class="stack" open={!hasGithub}>
        <summary>{hasGithub ? 'Another way' : 'How to sign in'}</summary>
        <p>
          {to === '/' ? 'In a clone of a repository' : 'In your clone'}, run <code>headsup open</code>. It opens this
          page with the sign-in of your command line.
        </p>
        <form class="flow" method="post" action="/-/session">
          <input type="hidden" name="to" value={to} />
          <label class="grow">
            Or paste a GitHub token
            <input type="password" name="token" required autocomplete="off" spellcheck={false} />
          </label>
          <button type="submit" class="button">
            Sign in
          </button>
        </form>
      </details>
      {children}
    </section>
  )
}

/** Read once, since the code is removed from the address. */
const code = location.pathname === '/-/enter' ? location.hash.slice(1) : ''
const to = returnPath(new URLSearchParams(location.search).get('to'))

const askToEnter = (body: object) => send<{ login: string }>('POST', '/-/session/enter', { body: { code, ...body } })

/** The last step of `headsup open`: a confirmation to sign in as this person. */
export function EnterPage() {
  const [answer, setAnswer] = useState<ApiResponse<{ login: string }>>()
  useEffect(() => {
    history.replaceState(null, '', location.pathname + location.search)
    document.title = 'Sign in · Headsup'
    // Does not start a session.
    void askToEnter({ peek: true }).then(setAnswer)
  }, [])

  async function enter() {
    const reply = await askToEnter({})
    if (reply.ok) location.replace(to)
    else setAnswer(reply)
  }

  return (
    <>
      <TopBar />
      <main class="single" id="main">
        {!answer && <Loading />}
        {answer?.ok && (
          <section class="box stack">
            <h1>Sign in as @{answer.body.login}?</h1>
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
          <section class="box stack">
            <h1>This sign-in did not work</h1>
            <p>{answer.problem.message}</p>
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
