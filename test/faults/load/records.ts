import { z } from 'zod'
import { endedFrom, type RecordHistory, type View } from '../history/step.ts'
import { now } from './ledger.ts'
import type { Load } from './send.ts'

/** A record that the clients use. */
export interface Subject {
  record: RecordHistory
  branch: string
  /**
   * The `merged_at` of its pull request: after the create and before any deletion of the branch, however late the deliveries
   * are. So a merge always changes the reason of a deletion, and the checker needs no clock.
   */
  mergedAt: Date
}

export const RecordFields = z.object({
  id: z.string(),
  status: z.string().optional(),
  risk: z.string().optional(),
  summary: z.string().optional(),
  archived_at: z.string().nullable().optional(),
  archived_reason: z.string().nullable().optional(),
  heartbeat_at: z.string().nullable().optional(),
  expires_at: z.string().optional(),
})

export const CreateResponse = z.object({
  activity: RecordFields,
  overlap: z.object({ related_activity_ids: z.array(z.string()) }),
})

/** The fields of a record in a response. */
export function viewOf(body: unknown): View {
  const { id: _, ...seen } = RecordFields.parse(body)
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined))
}

/** The maximum number of steps of a record, so that every order can be tried. */
const mostSteps = 24
const mostUnknown = 5

export function hasEnoughSteps({ record: { steps, isGone } }: Subject): boolean {
  return (
    isGone === true ||
    steps.length >= mostSteps ||
    steps.filter(({ outcome }) => outcome.is === 'unknown').length >= mostUnknown
  )
}

/** Whether the retention of the record may be over. */
export function mayBeGone({ retentionMs }: Load, record: RecordHistory): boolean {
  return now() > endedFrom(record) + retentionMs
}

export function pathOf({ repository: { owner, name } }: Load, rest: string): string {
  return `/api/v1/repos/${owner}/${name}${rest}`
}
