import { z } from 'zod'
import { addFault, line, text, textFault, timestamp } from '../input.ts'
import { Scope, ScopeInput } from '../scope/schema.ts'
import { categories, importances, notableStatuses } from '../vocabulary.ts'

const instant = z.iso.datetime()

/** A notable as every answer shows it (service-spec, Resources; decisions §1). */
export const Notable = z.object({
  id: z.string(),
  type: z.literal('notable'),
  title: z.string(),
  summary: z.string(),
  category: z.enum(categories),
  importance: z.enum(importances),
  status: z.enum(notableStatuses),
  decision_url: z.string().nullable(),
  supersedes: z.array(z.string()),
  applies_until: instant.nullable(),
  scope: Scope,
  blocking: z.boolean(),
  expires_at: instant,
  created_at: instant,
  updated_at: instant,
  archived_at: instant.nullable(),
})
export type Notable = z.infer<typeof Notable>

/** An absolute http(s) URL without user info, returned as given (decisions §2). */
const decisionUrl = z
  .string()
  .superRefine((value, context) => {
    const fault = textFault(value, { min: 1, max: 2048, line: true })
    if (fault) return addFault(context, ...fault)
    const absolute = /^https?:\/\/[^\s/\\]/i.test(value) && !/[\s\\]/.test(value) && URL.canParse(value)
    if (!absolute) return addFault(context, 'invalid_value', 'must be an absolute http or https URL')
    const { username, password } = new URL(value)
    if (username || password) addFault(context, 'invalid_value', 'must not hold a user name or password')
  })
  .meta({ format: 'uri', maxLength: 2048 })

const summary = text({ min: 1, max: 2000 })

export const NotableCreate = z.strictObject({
  title: line(200),
  summary,
  importance: z.enum(importances),
  category: z.enum(categories),
  decision_url: decisionUrl.nullish(),
  scope: ScopeInput,
  applies_until: timestamp.nullish(),
  supersedes: z.array(z.string()).max(100).default([]),
  blocking: z.boolean().default(false),
})
export type NotableCreate = z.infer<typeof NotableCreate>

/** The body of a PATCH: only the fields sent change; `null` clears (decisions §2). */
export const NotableUpdate = z
  .strictObject({
    summary,
    importance: z.enum(importances),
    decision_url: decisionUrl.nullable(),
    applies_until: timestamp.nullable(),
    blocking: z.boolean(),
  })
  .partial()
export type NotableUpdate = z.infer<typeof NotableUpdate>

/** The filters of the list; `status` alone brings back ended ones (decisions §3). `area` compares without regard to case. */
export const NotableFilters = z.strictObject({
  importance: z.enum(importances).optional(),
  category: z.enum(categories).optional(),
  area: line(100).optional(),
  status: z.enum(notableStatuses).optional(),
})
export type NotableFilters = z.infer<typeof NotableFilters>

export const ArchivedNotable = z.object({ id: z.string(), status: z.literal('archived'), archived_at: instant })
export type ArchivedNotable = z.infer<typeof ArchivedNotable>
