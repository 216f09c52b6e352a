import { z } from 'zod'
import { categories, importances, notableStatuses } from '../enums.ts'
import { addFault, line, text, textFault, timestamp } from '../lib/input.ts'
import { Scope, ScopeInput } from '../scope/schema.ts'

const instant = z.iso.datetime()
const notableId = z.string().meta({ examples: ['ntb_01h455vb4pex5vsknk084sn02q'] })

/** A notable in a response (docs/rules.md#notable-fields). */
export const Notable = z
  .object({
    id: notableId,
    type: z.literal('notable'),
    title: z.string(),
    summary: z.string(),
    category: z.enum(categories),
    importance: z.enum(importances),
    status: z.enum(notableStatuses),
    decision_url: z.string().nullable().describe('A link to the document behind it.'),
    supersedes: z.array(notableId).describe('The notables that this one replaced.'),
    applies_until: instant.nullable().describe('When its content stops being true. After that it matches nothing.'),
    scope: Scope,
    blocking: z.boolean().describe('A prominent warning, never a lock.'),
    author_login: z.string().nullable().describe('The GitHub account that raised it; null if it is not known.'),
    expires_at: instant,
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
  })
  .meta({
    description:
      'Something to know before starting. With an empty scope it is about the whole repository; where that is `blocking` or critical, it is an overlap for every proposal.',
  })
export type Notable = z.infer<typeof Notable>

/** A character of a path in RFC 3986, as itself or percent-encoded. */
const pathCharacter = "(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2})"
const webUri = new RegExp(
  `^https?://(?:\\[[\\da-f:.]+\\](?::\\d*)?|${pathCharacter}+)(?:[/?](?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?$`,
  'i',
)

/** An absolute http or https URL without user info, stored unchanged (docs/rules.md#decision-links). */
const decisionUrl = z
  .string()
  .superRefine((value, context) => {
    const fault = textFault(value, { min: 1, max: 2048, line: true })
    if (fault) return addFault(context, ...fault)
    if (!webUri.test(value) || !URL.canParse(value)) {
      const what = 'must be an absolute http or https URL, with characters that no URL holds written as %XX'
      return addFault(context, 'invalid_value', what)
    }
    const { username, password } = new URL(value)
    if (username || password) addFault(context, 'invalid_value', 'must not hold a user name or password')
  })
  .meta({
    format: 'uri',
    minLength: 1,
    maxLength: 2048,
    description: 'A link to the document behind it: an absolute http or https URL without a user name or password.',
    examples: ['https://example.com/adr/7'],
  })

const title = line(200).meta({ description: 'The signal in one line.', examples: ['The session table moves'] })
const summary = text({ min: 1, max: 2000 }).describe('The caveat in a sentence or two.')
const importance = z
  .enum(importances)
  .describe('The severity of an overlap: medium for `high` importance, high for `critical`, low for the others.')
const appliesUntil = timestamp.describe(
  'When its content stops being true. It may be past: such a notable matches nothing.',
)
const warning = z.boolean().describe('A prominent warning to others, never a lock.')

export const NotableCreate = z.strictObject({
  title,
  summary,
  importance,
  category: z.enum(categories).describe('A repository can disable some of them: see its settings.'),
  decision_url: decisionUrl.nullish(),
  scope: ScopeInput,
  applies_until: appliesUntil.nullish(),
  supersedes: z
    .array(notableId.meta({ minLength: 1 }))
    .max(100)
    .default([])
    .describe('Notables of this repository that this one replaces. The active ones are archived.'),
  blocking: warning.default(false),
})
export type NotableCreate = z.infer<typeof NotableCreate>

/** The body of a PATCH. Only the fields that are sent change; `null` clears one (docs/rules.md#updating-records). */
export const NotableUpdate = z
  .strictObject({
    summary,
    importance,
    decision_url: decisionUrl.nullable(),
    applies_until: appliesUntil.nullable(),
    blocking: warning,
  })
  .partial()
export type NotableUpdate = z.infer<typeof NotableUpdate>

/** The filters of the list. Ended notables are listed only by `status` (docs/rules.md#notable-filters). */
export const NotableFilters = z.strictObject({
  importance: z.enum(importances).optional(),
  category: z.enum(categories).optional(),
  area: line(100).optional().describe('Only notables whose scope names this area, in any case.'),
  status: z.enum(notableStatuses).optional().describe('Only notables of this status. By default: active ones.'),
})
export type NotableFilters = z.infer<typeof NotableFilters>

export const ArchivedNotable = z.object({ id: notableId, status: z.literal('archived'), archived_at: instant })
export type ArchivedNotable = z.infer<typeof ArchivedNotable>
