import { useEffect, useState } from 'preact/hooks'
import { returnPath } from '../../session/return-path.ts'
import { peekCode, signInWithCode } from '../client/session.ts'
import { TopBar } from './top-bar.tsx'

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
