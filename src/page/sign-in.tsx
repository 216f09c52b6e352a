import { useState } from 'preact/hooks'
import { type Session, signIn } from './api.ts'

interface Props {
  session: Session
  onSession(session: Session): void
}

/** The two ways to sign in. A pasted token is sent once, and kept in an encrypted cookie alone. */
export function SignIn({ session, onSession }: Props) {
  const [fault, setFault] = useState('')
  const { ways } = session

  async function send(event: SubmitEvent) {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    try {
      onSession(await signIn(String(token)))
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'That did not work.')
    }
  }

  if (ways.length === 0)
    return (
      <p class="fault">Signing in needs HTTPS, or a loopback address: at this one a token could be read by others.</p>
    )
  return (
    <div class="stack">
      {ways.includes('github') && (
        <p>
          <a class="button main" href={`/-/sign-in?to=${encodeURIComponent(location.pathname)}`}>
            Sign in with GitHub
          </a>
        </p>
      )}
      <form class="stack" onSubmit={send}>
        <label class="field">
          <span>
            {ways.includes('github') ? 'Or paste a GitHub token' : 'Paste a GitHub token'}, the output of{' '}
            <code>gh auth token</code>
          </span>
          <input name="token" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        {fault !== '' && (
          <p role="alert" class="fault">
            {fault}
          </p>
        )}
        <p class="row">
          <button class={ways.includes('github') ? 'button' : 'button main'} type="submit">
            Sign in
          </button>
          <small class="muted">For 8 hours. You see what your token sees.</small>
        </p>
      </form>
    </div>
  )
}
