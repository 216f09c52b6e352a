import { z } from 'zod'
import type { ObservationState, Viewer } from '../context.ts'
import { observationUnavailable } from './freshness.ts'

/** How far the open pull requests are read (docs/rules.md#observed-state). */
export const Observed = z.object({
  pull_requests: z
    .enum(['current', 'reading', 'stale', 'unavailable', 'off'])
    .describe(
      '`reading`: never read completely yet. `stale`: known as of `as_of`. `unavailable`: this token may not read them. `off`: not observed.',
    ),
  as_of: z.iso.datetime().nullable().describe('When the last complete reading began.'),
  unread: z.int().describe('Open pull requests and pushed branches of which the files are not read.'),
  unread_branches: z.int().optional().describe('How many of `unread` are pushed branches, only where some are.'),
  parent: z
    .string()
    .optional()
    .describe('`owner/name` of the repository that this is a fork of, only where no pull request is open here.'),
})
export type Observed = z.infer<typeof Observed>

export function presentState({ pull_requests, as_of, parent, unread, unread_branches }: ObservationState): Observed {
  const branches = unread_branches === undefined ? {} : { unread_branches }
  return { pull_requests, as_of: as_of?.toISOString() ?? null, unread, ...branches, ...(parent ? { parent } : {}) }
}

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
