import type { ObservationState } from '../../core/schemas/observation.ts'
import type { Viewer } from '../context.ts'
import { observationUnavailable } from './observation-state.ts'

/**
 * The observation state that this caller may see. Starts a reading if one is due. A caller who may not see observed
 * work learns nothing about it, not even when it was read.
 */
export async function visibleObservation(
  viewer: Viewer,
  options?: Parameters<Viewer['observationState']>[0],
): Promise<{ observed: ObservationState; mayRead: boolean }> {
  const observed = await viewer.observationState(options)
  const mayRead = await viewer.mayReadPullRequests()
  const isVisible = mayRead || observed.pull_requests === 'off' || observed.pull_requests === 'reading'
  return { observed: isVisible ? observed : observationUnavailable, mayRead }
}
