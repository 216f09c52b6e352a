import { useState } from 'preact/hooks'
import { returnPath } from '../../../session/return-path.ts'
import { type BrowserSession, signInWithToken } from '../../client/session.ts'
import { Icon } from '../parts/icon.tsx'

interface SignInProps {
  session: BrowserSession
  title: string
  onSignedIn(): void
}

/** The ways to sign in. */
export function SignIn({ session: { ways }, title, onSignedIn }: SignInProps) {
  const to = returnPath(location.pathname + location.search)
  const hasGithub = ways.includes('github')
  const others = <OtherWays to={to} onSignedIn={onSignedIn} />
  return (
    <section class="card" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{title}</h2>
      <p>You see here what you may see at GitHub. The service keeps no account and no token.</p>
      {hasGithub && (
        <p class="card-actions">
          <a class="main-button" href={`/-/sign-in?to=${encodeURIComponent(to)}`}>
            <Icon name="github" />
            Sign in with GitHub
          </a>
        </p>
      )}
      {hasGithub ? (
        <details class="other-ways">
          <summary>Another way</summary>
          {others}
        </details>
      ) : (
        others
      )}
    </section>
  )
}

function OtherWays({ to, onSignedIn }: { to: string; onSignedIn(): void }) {
  const [token, setToken] = useState('')
  const [fault, setFault] = useState('')
  const [isSending, setIsSending] = useState(false)

  async function signIn(event: SubmitEvent) {
    event.preventDefault()
    setIsSending(true)
    const reply = await signInWithToken(token.trim())
    setIsSending(false)
    if (reply.ok) return onSignedIn()
    setFault(reply.refusal?.message || 'The service does not answer.')
  }

  return (
    <>
      <p>
        {to === '/' ? 'In a clone of a repository' : 'In your clone'}, run <code>headsup open</code>. It opens this page
        with the sign-in of your command line.
      </p>
      <form class="form token-form" onSubmit={signIn}>
        <label>
          Or paste a GitHub token
          <input
            type="password"
            name="token"
            required
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="small-button" disabled={isSending}>
          {isSending ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
