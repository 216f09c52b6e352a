import { useState } from 'preact/hooks'
import { type Session, signIn } from './api.ts'
import { Fault, faultOf } from './parts.tsx'

interface Props {
  session: Session
  onSession(session: Session): void
}

/** The two ways to sign in. A pasted token is sent once, and kept in an encrypted cookie alone. */
export function SignIn({ session: { ways }, onSession }: Props) {
  const [fault, setFault] = useState('')
  const hasGithub = ways.includes('github')

  async function send(event: SubmitEvent) {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    setFault(await faultOf(signIn(String(token)).then(onSession)))
  }

  if (ways.length === 0)
    return (
      <p class="fault">Signing in needs HTTPS, or a loopback address: at this one a token could be read by others.</p>
    )
  return (
    <>
      {hasGithub && (
        <p>
          <a class="button main" href={`/-/sign-in?to=${encodeURIComponent(location.pathname)}`}>
            Sign in with GitHub
          </a>
        </p>
      )}
      <form class="stack" onSubmit={send}>
        <label class="field">
          <small class="muted">
            {hasGithub ? 'Or paste' : 'Paste'} a GitHub token, the output of <code>gh auth token</code>
          </small>
          <input name="token" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <Fault>{fault}</Fault>
        <p class="row">
          <button class={hasGithub ? 'button' : 'button main'} type="submit">
            Sign in
          </button>
          <small class="muted">For 8 hours. You see what your token sees.</small>
        </p>
      </form>
    </>
  )
}
