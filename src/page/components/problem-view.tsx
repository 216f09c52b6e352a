import { ago } from '../../core/texts/age.ts'
import type { LiveView } from '../client/follow-repository.ts'
import type { BrowserSession } from '../hooks/use-session.ts'
import { useNow } from '../hooks/use-view.ts'
import { type Problem, problemTitles } from '../model/problem.ts'
import { ssoLink } from '../model/words.ts'
import { OpenButton } from './dialogs.tsx'
import { OutLink, Sign } from './parts/marks.tsx'
import { SignIn } from './sign-in.tsx'

interface ProblemViewProps {
  problem: Problem
  session?: BrowserSession | undefined
  githubUrl?: string | undefined
  retryAt?: number | undefined
  onRetry(): void
}

/** What is said in place of the service's message. */
const explanations: Partial<Record<Problem['kind'], string>> = {
  'not-found': 'There is no such repository, or you may not see it with this sign-in.',
  sso: 'The organisation asks for single sign-on. Grant it at GitHub, then try again.',
  insecure:
    'This address is reached without TLS, so a sign-in could be read on the way. Ask for an https address, or open the page on the machine that runs Headsup.',
}

/** Why the page cannot be shown, and what to do about it. */
export function ProblemView({ problem, session, githubUrl, retryAt, onRetry }: ProblemViewProps) {
  const { kind, sso, message } = problem
  const ssoUrl = kind === 'sso' ? ssoLink(sso, githubUrl) : undefined
  if (kind === 'session-over' && session) {
    return <SignIn session={session} title="Your session is over. Sign in again" />
  }
  return (
    <section class="box stack" aria-labelledby="problem-title">
      <h2 id="problem-title">{problemTitles[kind]}</h2>
      <p>{explanations[kind] ?? message}</p>
      {kind === 'not-found' && (
        <>
          <p>Mostly it is one of these:</p>
          <ul class="marked">
            <li>The name is misspelt, or the repository was renamed or moved.</li>
            <li>It is private, and {session?.login ? `@${session.login}` : 'your account'} was not invited.</li>
            <li>The token that you signed in with was not granted this repository.</li>
          </ul>
        </>
      )}
      <p class="flow">
        {ssoUrl && (
          <OutLink href={ssoUrl} class="button button-main">
            Grant at GitHub
          </OutLink>
        )}
        {kind !== 'insecure' && (
          <button type="button" class={`button${ssoUrl ? '' : ' button-main'}`} onClick={onRetry}>
            Try again
          </button>
        )}
        <Countdown to={retryAt} />
        {kind === 'not-found' && <a href="/">Another repository</a>}
      </p>
    </section>
  )
}

/** `Next attempt in 12 s`. Screen readers do not read out each second. */
export function Countdown({ to }: { to: number | undefined }) {
  const now = useNow(1_000)
  if (to === undefined) return null
  const seconds = Math.max(0, Math.ceil((to - now) / 1000))
  return (
    <span class="muted" aria-hidden="true">
      {seconds === 0 ? 'Trying …' : `Next attempt in ${seconds} s`}
    </span>
  )
}

/** The state of the connection as a word, a shape and a colour. */
export function ConnectionMark({ view, isOld, now }: { view: LiveView; isOld: boolean; now: number }) {
  const { connection, lastReceivedAt } = view
  const kind = connection === 'connecting' || !isOld ? connection : 'lost'
  const words = {
    connecting: 'Connecting …',
    live: 'Live',
    polling: 'Every 15 s',
    lost: lastReceivedAt === undefined ? 'Not connected' : `As of ${ago(new Date(lastReceivedAt), new Date(now))}`,
  }
  return (
    <small class={`connection ${kind === 'lost' ? 'warn' : 'muted'}`}>
      {kind === 'live' ? <Sign class="good">●</Sign> : <Sign>○</Sign>}
      <span>{words[kind]}</span>
    </small>
  )
}

/** Says why the page is old. It lies over a part of the page, so that nothing moves. */
export function LossNotice({ view: { problem, retryAt }, onRetry }: { view: LiveView; onRetry(): void }) {
  const isOver = problem?.kind === 'session-over'
  return (
    <div class="flow bar late notice">
      <p class="grow">
        <strong>{isOver ? 'Your session is over.' : 'The connection is lost.'}</strong> {!isOver && problem?.message}{' '}
        What you see may be out of date.
      </p>
      <Countdown to={retryAt} />
      {isOver ? (
        <OpenButton dialog="sign-in" class="button button-main">
          Sign in again
        </OpenButton>
      ) : (
        <button type="button" class="button" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  )
}
