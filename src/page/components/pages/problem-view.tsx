import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import type { SessionView } from '../../hooks/use-session.ts'
import type { Problem, ProblemKind } from '../../model/problem.ts'
import { OutLink } from '../parts/link.tsx'
import { Countdown } from './countdown.tsx'
import { SignIn } from './sign-in.tsx'

interface ProblemViewProps {
  problem: Problem
  repository: RepositoryOfPage
  session?: SessionView
  retryAt: number | undefined
  onRetry(): void
}

const titles: Record<ProblemKind, string> = {
  'signed-out': 'Sign in',
  'session-over': 'Your session is over',
  'not-found': 'Not found',
  sso: 'Single sign-on is needed',
  forbidden: 'Refused',
  insecure: 'Signing in needs TLS',
  busy: 'Too many requests',
  unavailable: 'Not available right now',
  offline: 'No connection',
}

function explanation({ kind, message }: Problem, { owner, repo }: RepositoryOfPage): string {
  switch (kind) {
    case 'not-found':
      return `There is no repository ${owner}/${repo}, or you may not see it with this sign-in.`
    case 'sso':
      return `The organisation ${owner} asks for single sign-on. Grant it at GitHub, then try again.`
    case 'insecure':
      return 'This address is reached without TLS, so a sign-in could be read on the way. Ask for an https address, or open the page on the machine that runs Headsup.'
    case 'offline':
      return 'The service does not answer.'
    default:
      return message || 'The service refused the request.'
  }
}

/** Why the page cannot be shown, and what to do about it. */
export function ProblemView({ problem, repository, session, retryAt, onRetry }: ProblemViewProps) {
  const { kind, ssoUrl } = problem
  if (kind === 'session-over' && session?.session) {
    return (
      <SignIn
        session={session.session}
        title="Your session is over. Sign in again"
        onSignedIn={() => location.reload()}
      />
    )
  }
  return (
    <section class="card" aria-labelledby="problem-title">
      <h2 id="problem-title">{titles[kind]}</h2>
      <p>{explanation(problem, repository)}</p>
      <p class="card-actions">
        {ssoUrl && (
          <OutLink href={ssoUrl} class="main-button">
            Grant at GitHub
          </OutLink>
        )}
        {kind !== 'insecure' && (
          <button type="button" class={ssoUrl ? 'small-button' : 'main-button'} onClick={onRetry}>
            Try again
          </button>
        )}
        <Countdown to={retryAt} />
        {kind === 'not-found' && <a href="/">Another repository</a>}
      </p>
    </section>
  )
}
