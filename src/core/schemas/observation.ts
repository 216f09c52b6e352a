import { z } from 'zod'

/** An open pull request that changes more files than GitHub lists. */
export interface PartlyListedPull {
  number: number
  /** Its head branch; null if that is in a fork. */
  branch: string | null
}

/** How far the open pull requests of a repository are read (docs/rules.md#observed-state). */
export interface ObservationState {
  pull_requests: 'current' | 'reading' | 'stale' | 'unavailable' | 'off'
  /** When the last complete reading began; null before the first one. */
  as_of: Date | null
  /** How many open pull requests and pushed branches are known whose files are not read. */
  unread: number
  /** How many of these are pushed branches; absent if none. */
  unread_branches?: number
  /** Pull requests of which GitHub does not list all files. Only the texts of a response name them. */
  partly_listed?: readonly PartlyListedPull[]
  /** `owner/name` of the parent, where this is a fork in which no pull request is open. */
  parent?: string | null
}

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
