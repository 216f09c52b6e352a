import type { LiveView } from '../../client/follow-repository.ts'
import { Countdown } from './countdown.tsx'

interface LostNoticeProps {
  view: LiveView
  onRetry(): void
}

/** Says that the page may be old. It covers a part of the page, so that the layout does not move. */
export function LostNotice({ view: { problem, retryAt }, onRetry }: LostNoticeProps) {
  return (
    <div class="notice">
      <p>
        <strong>The connection is lost.</strong> {problem?.message} What you see may be out of date.
      </p>
      <Countdown to={retryAt} />
      <button type="button" class="small-button" onClick={onRetry}>
        Try now
      </button>
    </div>
  )
}
