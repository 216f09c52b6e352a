import type { Observed } from '../../../observed/state.ts'
import { observationText } from '../../../sentence/observation.ts'
import { notConnectedText } from '../../model/freshness.ts'
import type { LiveState } from '../../model/live-state.ts'
import { cutText } from '../../model/observation.ts'

interface StatusStripProps {
  state: LiveState
  observation: Observed | undefined
  /** When the service last sent anything, in ms, if the page may be out of date. */
  oldSince: number | undefined
  now: number
}

/** One line above the panels that says how complete they are. */
export function StatusStrip({ state, observation, oldSince, now }: StatusStripProps) {
  const cut = cutText(state.truncated)
  const { text, isGap } =
    oldSince === undefined
      ? observationText(observation, now)
      : { text: notConnectedText(clockOf(oldSince)), isGap: true }
  return (
    <div class="strip">
      {cut && <p class="strip-gap">{cut}</p>}
      <p class={isGap ? 'strip-gap' : undefined}>{text}</p>
    </div>
  )
}

function clockOf(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
