import { z } from 'zod'
import type { RecordHistory, View } from '../history/step.ts'
import type { Load } from './ask.ts'

/** A record that the clients work on, and what they may do no more. */
export interface Subject {
  record: RecordHistory
  branch: string
  /**
   * When GitHub will say that its pull request was merged: once the record was there, and before anybody deletes the branch,
   * however late either is told. So a merge claims whatever a deletion archived, and the law needs to know no clock.
   */
  mergedAt: Date
}

export const Shown = z.object({
  id: z.string(),
  status: z.string().optional(),
  risk: z.string().optional(),
  summary: z.string().optional(),
  archived_at: z.string().nullable().optional(),
  archived_reason: z.string().nullable().optional(),
  heartbeat_at: z.string().nullable().optional(),
  expires_at: z.string().optional(),
})

export const Made = z.object({
  activity: Shown,
  overlap: z.object({ related_activity_ids: z.array(z.string()) }),
})

/** What an answer shows of a record, without what it does not name. */
export function viewOf(body: unknown): View {
  const { id: _, ...seen } = Shown.parse(body)
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined))
}

/** How many steps a record is for: of few steps every order can be tried. */
const mostSteps = 24
const mostUnknown = 5

export function isSpent({ record: { steps } }: Subject): boolean {
  return steps.length >= mostSteps || steps.filter(({ outcome }) => outcome.is === 'unknown').length >= mostUnknown
}

export function pathOf({ repository: { owner, name } }: Load, rest: string): string {
  return `/api/v1/repos/${owner}/${name}${rest}`
}
