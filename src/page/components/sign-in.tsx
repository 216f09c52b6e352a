import { useEffect, useRef, useState } from 'preact/hooks'
import { returnPath } from '../../session/return-path.ts'
import { type BrowserSession, peekCode, signInWithCode } from '../client/requests.ts'
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
    <section class="single-card" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{title}</h2>
      <p>You see here what you may see at GitHub. The service keeps no account and no token.</p>
      {hasGithub && (
        <p class="words">
          <a class="button button-main" href={`/-/sign-in?to=${encodeURIComponent(to)}`}>
            Sign in with GitHub
          </a>
        </p>
      )}
      {hasGithub ? (
        <details>
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
      <form class="form line-form" method="post" action="/-/session">
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
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <div class="notice">
        <p>
          <strong>Your session is over.</strong> What you see is out of date.
        </p>
        <button type="button" class="button button-main" onClick={() => dialog.current?.showModal()}>
          Sign in again
        </button>
      </div>
      <dialog ref={dialog} class="dialog" aria-label="Sign in again">
        <SignIn session={session} title="Sign in again" />
        <button type="button" class="text-button" onClick={() => dialog.current?.close()}>
          Not now
        </button>
      </dialog>
    </>
  )
}

type Step = { kind: 'checking' } | { kind: 'asking'; login: string } | { kind: 'refused'; message: string }

/** Read once, since the code is removed from the address. */
const code = location.pathname === '/-/enter' ? location.hash.slice(1) : ''
const to = returnPath(new URLSearchParams(location.search).get('to'))

const refused = (message: string | undefined): Step => ({
  kind: 'refused',
  message: message || 'The service does not answer.',
})

/** The last step of `headsup open`: a confirmation to sign in as this person. */
export function EnterPage() {
  const [step, setStep] = useState<Step>({ kind: 'checking' })
  useEffect(() => {
    history.replaceState(null, '', location.pathname + location.search)
    document.title = 'Sign in · Headsup'
    void peekCode(code).then((reply) => {
      setStep(reply.ok ? { kind: 'asking', login: reply.body.login } : refused(reply.refusal?.message))
    })
  }, [])

  async function enter() {
    const reply = await signInWithCode(code)
    if (reply.ok) location.replace(to)
    else setStep(refused(reply.refusal?.message))
  }

  return (
    <>
      <TopBar />
      <main class="single" id="main">
        {step.kind === 'checking' && (
          <p class="loading" role="status">
            Loading …
          </p>
        )}
        {step.kind === 'asking' && (
          <section class="single-card" aria-labelledby="enter-title">
            <h1 id="enter-title">Sign in as @{step.login}?</h1>
            <p>
              {to === '/' ? 'This browser' : `This browser then shows ${to.replace(/\?.*$/, '').slice(1)}, and`} acts
              with the GitHub sign-in of the command line that opened this page, for 8 hours or until you sign out.
            </p>
            <p class="words">
              <button type="button" class="button button-main" onClick={enter}>
                Sign in as @{step.login}
              </button>
              <a href="/">No, leave</a>
            </p>
          </section>
        )}
        {step.kind === 'refused' && (
          <section class="single-card" aria-labelledby="enter-title">
            <h1 id="enter-title">This sign-in did not work</h1>
            <p>{step.message}</p>
            <p>
              A code works once, within 30 seconds. Run <code>headsup open</code> again.
            </p>
          </section>
        )}
      </main>
    </>
  )
}
