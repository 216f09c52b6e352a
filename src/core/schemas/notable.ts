import { z } from 'zod'
import { categories, levels, notableStatuses } from '../enums.ts'
import { cursor, instant, limit, line, list, text, timestamp } from './input.ts'
import { Scope, ScopeInput, ScopeUpdate } from './scope.ts'

export const Notable = z
  .object({
    id: z.string().meta({ examples: ['ntb_01h455vb4pex5vsknk084sn02q'] }),
    type: z.literal('notable'),
    title: z.string(),
    summary: z.string(),
    category: z.enum(categories),
    importance: z.enum(levels),
    status: z.enum(notableStatuses),
    decision_url: z.string().nullable().describe('A link to the document behind it.'),
    supersedes: z.array(z.string()).describe('The notables that this one replaced.'),
    applies_until: instant.nullable().describe('When its content stops being true. After that it matches nothing.'),
    scope: Scope,
    blocking: z.boolean().describe('A prominent warning, never a lock.'),
    author_login: z.string().nullable().describe('The GitHub account that raised it; null if it is not known.'),
    expires_at: instant,
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
    archived_by: z.string().nullable().describe('The GitHub account of the caller who ended it.'),
  })
  .meta({ id: 'Notable', description: 'Something to know before starting; with an empty scope about everything.' })
export type Notable = z.infer<typeof Notable>

export const NotablePage = z
  .object({ items: z.array(Notable), next_cursor: z.string().nullable() })
  .meta({ id: 'NotablePage' })

/** An absolute http or https URL without user information, stored unchanged. */
const decisionUrl = line(2048)
  .refine(isWebUrl, 'must be an absolute http or https URL without a user name or password')
  .meta({ format: 'uri', description: 'A link to the document behind it.' })

function isWebUrl(text: string): boolean {
  // The parser mends white space and backslashes; what is stored is the text itself.
  if (!/^https?:\/\/[^\s\\/]/i.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** The fields that a caller may send, each as a create and an update take it. */
const fields = {
  title: line(200).meta({ description: 'The signal in one line.', examples: ['The session table moves'] }),
  summary: text({ min: 1, max: 2000 }).describe('The caveat in a sentence or two.'),
  importance: z.enum(levels).describe('`high` counts as an overlap of medium severity, `critical` of high.'),
  decision_url: decisionUrl.nullable(),
  applies_until: timestamp.nullable().describe('When its content stops being true; it may be past.'),
  blocking: z.boolean().describe('A prominent warning to others, never a lock.'),
}

export const NotableCreate = z.strictObject({
  title: fields.title,
  summary: fields.summary,
  importance: fields.importance,
  category: z.enum(categories),
  decision_url: fields.decision_url.optional(),
  scope: ScopeInput,
  applies_until: fields.applies_until.optional(),
  supersedes: list(text({ min: 1, max: 100 }), 100)
    .default([])
    .describe('Notables that this one replaces.'),
  blocking: fields.blocking.default(false),
})
export type NotableCreate = z.output<typeof NotableCreate>

/** Only the fields that are sent change; `null` clears a link or a date. */
export const NotableUpdate = z.strictObject({ ...fields, scope: ScopeUpdate }).partial()
export type NotableUpdate = z.output<typeof NotableUpdate>

export const NotableQuery = z.strictObject({
  importance: z.enum(levels).optional(),
  category: z.enum(categories).optional(),
  area: line(100).optional().describe('An area of its scope, in any case.'),
  status: z.enum(notableStatuses).optional().describe('This status alone.'),
  limit,
  cursor: cursor('ntb'),
})
export type NotableQuery = z.output<typeof NotableQuery>
