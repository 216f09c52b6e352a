import type { Session } from './api.ts'
import { SignIn } from './sign-in.tsx'

interface Props {
  session: Session
  onSession(session: Session): void
}

export function Start({ session, onSession }: Props) {
  return (
    <main class="narrow stack">
      <h1>Does what you are about to do collide with work in flight?</h1>
      <p class="lead muted">
        Headsup sees every open pull request and what people and coding agents are working on, and tells you which files
        and lines meet yours. It advises and never blocks.
      </p>
      <section class="panel pad stack" aria-labelledby="open">
        <h2 id="open">Open a repository</h2>
        <form class="row" onSubmit={open}>
          <input
            name="repository"
            required
            pattern="\s*[\w\-]+/[\w.\-]+\s*"
            placeholder="OWNER/REPO"
            aria-label="Repository, as OWNER/REPO"
            class="grow"
            spellcheck={false}
          />
          <button class={session.signed_in ? 'button main' : 'button'} type="submit">
            Open
          </button>
        </form>
      </section>
      {!session.signed_in && (
        <section class="panel pad stack" aria-labelledby="sign-in">
          <h2 id="sign-in">Sign in</h2>
          <SignIn session={session} onSession={onSession} />
        </section>
      )}
      <p class="row">
        <a href="/docs">API</a> <a href="/llms.txt">For agents</a> <a href="/-/headsup.mjs">Command line</a>
      </p>
    </main>
  )
}

function open(event: SubmitEvent) {
  event.preventDefault()
  const repository = new FormData(event.currentTarget as HTMLFormElement).get('repository')
  location.assign(`/${String(repository).trim()}`)
}
