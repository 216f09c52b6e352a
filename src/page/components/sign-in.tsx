import { useRef } from 'preact/hooks'
import { returnPath } from '../../session/return-path.ts'
import type { BrowserSession } from '../client/session.ts'

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
