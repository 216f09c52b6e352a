import { useState } from 'preact/hooks'
import type { SessionView } from '../../hooks/use-session.ts'
import type { Problem } from '../../model/problem.ts'
import { Countdown } from './countdown.tsx'
import { SignIn } from './sign-in.tsx'

interface NoticesProps {
  session: SessionView
  isOver: boolean
  problem: Problem | undefined
  retryAt: number | undefined
  onRetry(): void
  observed: string | undefined
  isCut: boolean
}

/** What makes the page say less than the truth, above the panels. */
export function Notices({ session, isOver, problem, retryAt, onRetry, observed, isCut }: NoticesProps) {
  return (
    <div class="notices">
      {isOver ? (
        <SessionOver session={session} />
      ) : (
        problem && (
          <p class="notice notice-warn">
            <strong>The connection is lost.</strong> <span>{problem.message} What you see may be out of date.</span>
            <Countdown to={retryAt} />
            <button type="button" class="small-button" onClick={onRetry}>
              Try now
            </button>
          </p>
        )
      )}
      {isCut && (
        <p class="notice">
          <strong>More than 500.</strong>{' '}
          <span>Only the newest 500 of each kind are shown. The API lists all of them.</span>
        </p>
      )}
      {observed && (
        <p class="notice">
          <span>{observed}</span>
        </p>
      )}
    </div>
  )
}

function SessionOver({ session: { session } }: { session: SessionView }) {
  const [isSigningIn, setIsSigningIn] = useState(false)
  if (isSigningIn && session) {
    return <SignIn session={session} title="Sign in again" onSignedIn={() => location.reload()} />
  }
  return (
    <p class="notice notice-warn">
      <strong>Your session is over.</strong> <span>What you see is out of date.</span>
      <button type="button" class="main-button" onClick={() => setIsSigningIn(true)}>
        Sign in again
      </button>
    </p>
  )
}
