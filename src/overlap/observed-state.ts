import type { ObservationState, Viewer } from '../context.ts'
import type { Overlap } from './schema.ts'

/** How far the open pull requests are read, as this caller may know it. Starts a reading where one is due. */
export async function observedState(viewer: Viewer): Promise<Overlap['observed']> {
  const state = await viewer.observationState()
  return presentState(visibleState(state, await viewer.mayReadPullRequests()))
}

/** A caller who sees no observed work learns nothing about it, not even when it was read. */
export function visibleState(observed: ObservationState, seesObserved: boolean): ObservationState {
  const isVisible = seesObserved || observed.pull_requests === 'off' || observed.pull_requests === 'reading'
  return isVisible ? observed : { pull_requests: 'unavailable', as_of: null, unread: 0 }
}

export function presentState({ pull_requests, as_of, unread, parent }: ObservationState): Overlap['observed'] {
  return { pull_requests, as_of: as_of?.toISOString() ?? null, unread, ...(parent ? { parent } : {}) }
}
