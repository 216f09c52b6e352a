import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { BrowserSession } from '../hooks/use-session.ts'
import { useNow } from '../hooks/use-view.ts'
import type { Problem } from '../model/problem.ts'
import { ssoLink } from '../model/words.ts'
import { OutLink } from './parts/marks.tsx'
import { SignIn } from './sign-in.tsx'

interface ProblemViewProps {
  problem: Problem
  repository?: RepositoryOfPage
  session?: BrowserSession | undefined
  /** GitHub's web address. */
  githubUrl?: string | undefined
  retryAt?: number | undefined
  onRetry(): void
}

const titles: Record<Problem['kind'], string> = {
  'session-over': 'Your session is over',
  'not-found': 'Not found',
  sso: 'Single sign-on is needed',
  forbidden: 'Refused',
  insecure: 'Signing in needs TLS',
  busy: 'Too many requests',
  unavailable: 'Not available right now',
  offline: 'No connection',
}

function explanation({ kind, message }: Problem, { owner, repo }: Partial<RepositoryOfPage>): string {
  switch (kind) {
    case 'not-found':
      return `There is no repository ${owner}/${repo}, or you may not see it with this sign-in.`
    case 'sso':
      return `The organisation ${owner} asks for single sign-on. Grant it at GitHub, then try again.`
    case 'insecure':
      return 'This address is reached without TLS, so a sign-in could be read on the way. Ask for an https address, or open the page on the machine that runs Headsup.'
    default:
      return message
  }
}

/** Why the page cannot be shown, and what to do about it. */
export function ProblemView({ problem, repository, session, githubUrl, retryAt, onRetry }: ProblemViewProps) {
  const { kind, sso } = problem
  const ssoUrl = kind === 'sso' ? ssoLink(sso, githubUrl) : undefined
  if (kind === 'session-over' && session) {
    return <SignIn session={session} title="Your session is over. Sign in again" />
  }
  return (
    <section class="box stack" aria-labelledby="problem-title">
      <h2 id="problem-title">{titles[kind]}</h2>
      <p>{explanation(problem, repository ?? {})}</p>
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
