import { ago } from '../../core/texts/age.ts'
import type { LiveView } from '../client/follow-repository.ts'
import { openDialog } from './dialogs.tsx'
import { Sign } from './parts/marks.tsx'
import { Countdown } from './problem-view.tsx'

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
        <button type="button" class="button button-main" onClick={() => openDialog('sign-in')}>
          Sign in again
        </button>
      ) : (
        <button type="button" class="button" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  )
}
