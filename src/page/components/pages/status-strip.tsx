import type { LiveState } from '../../model/live-state.ts'
import { type Observation, observationText } from '../../model/observation.ts'

interface StatusStripProps {
  state: LiveState
  observation: Observation | undefined
  now: number
}

/** One line above the panels: how complete is what they show? */
export function StatusStrip({ state, observation, now }: StatusStripProps) {
  const { text, isGap } = observationText(observation, now)
  return (
    <div class="strip">
      {state.isCut && <p class="strip-gap">More than 500: only the newest 500 are shown. The API lists all.</p>}
      <p class={isGap ? 'strip-gap' : undefined}>{text}</p>
    </div>
  )
}
