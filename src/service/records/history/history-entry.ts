import { z } from 'zod'

/** An entry of the history of a record (docs/rules.md#history). */
export const HistoryEntry = z.object({
  at: z.iso.datetime(),
  by: z
    .string()
    .nullable()
    .describe(
      'The login of the caller; `app`: the service itself, by an event of GitHub or an expiry; `null`: not known.',
    ),
  change: z.enum(['created', 'updated', 'archived']),
  fields: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .describe('The fields that changed, each with the value before and after. Empty for `created`.'),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>
