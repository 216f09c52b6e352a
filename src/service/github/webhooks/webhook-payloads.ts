import { z } from 'zod'
import { id, instant, ref, word } from '../payload-fields.ts'
import { PullRequestPayload } from '../pulls/pull-request-payload.ts'

const account = z.object({ login: word })

export const RepositoryPayload = z.object({
  id,
  name: word,
  full_name: word,
  owner: account.optional().catch(undefined),
  default_branch: word,
  private: z.boolean().optional().catch(undefined),
  pushed_at: instant,
})
export type RepositoryPayload = z.infer<typeof RepositoryPayload>

/** An event about a pull request. */
export const PullRequestEvent = z.object({
  action: z.string(),
  repository: RepositoryPayload,
  pull_request: PullRequestPayload,
  /** Absent where a repository's own webhook sends it. */
  installation: z.object({ id: z.int().positive() }).nullish().catch(null),
})
export type PullRequestEvent = z.infer<typeof PullRequestEvent>

export const DeleteEvent = z.object({ ref, ref_type: z.string(), repository: RepositoryPayload })

const files = z.array(z.string()).optional().catch(undefined)
export const PushEvent = z.object({
  ref,
  deleted: z.boolean().optional(),
  forced: z.boolean().optional(),
  repository: RepositoryPayload,
  commits: z
    .array(z.object({ added: files, modified: files, removed: files }))
    .optional()
    .catch(undefined),
})
export type PushEvent = z.infer<typeof PushEvent>

const formerOwner = z.object({ login: word })
export const RepositoryEvent = z.object({
  action: z.string(),
  repository: RepositoryPayload.extend({ updated_at: instant }),
  changes: z
    .object({
      repository: z
        .object({ name: z.object({ from: word }) })
        .optional()
        .catch(undefined),
      owner: z
        .object({ from: z.object({ user: formerOwner.nullish(), organization: formerOwner.nullish() }) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type RepositoryEvent = z.infer<typeof RepositoryEvent>

const installed = z
  .array(z.object({ id, full_name: word, private: z.boolean().optional().catch(undefined) }))
  .nullish()
  .catch(null)
export const InstallationEvent = z.object({
  action: z.string(),
  installation: z
    .object({
      account: account.nullish(),
      permissions: z.record(z.string(), z.unknown()).optional().catch(undefined),
      html_url: z
        .url({ protocol: /^https?$/ })
        .nullish()
        .catch(null),
    })
    .optional(),
  repositories: installed,
  repositories_added: installed,
  repositories_removed: installed,
})
export type InstallationEvent = z.infer<typeof InstallationEvent>

const OfHead = z.object({ head_sha: z.string().regex(/^[0-9a-f]{40,64}$/) })
/** A check run that somebody re-runs, or a suite of all checks. */
export const RerequestedEvent = z.union([
  z.object({ repository: RepositoryPayload, check_run: OfHead }),
  z.object({ repository: RepositoryPayload, check_suite: OfHead }),
])

/** The head whose checks are re-run. */
export function rerequestedHead(event: z.infer<typeof RerequestedEvent>): string {
  return 'check_run' in event ? event.check_run.head_sha : event.check_suite.head_sha
}

export interface Names {
  owner: string
  name: string
}

/** The names as the payload spells them; undefined where it has none. */
export function namesOf({ owner, name, full_name }: RepositoryPayload): Names | undefined {
  const [ownerPart, namePart] = full_name?.split('/') ?? []
  const login = owner?.login ?? ownerPart
  const repository = name ?? namePart
  return login && repository ? { owner: login, name: repository } : undefined
}

/** Whether this is the repository with the settings of all repositories of its owner (docs/rules.md#settings-file). */
export function isSettingsOfOwner({ name }: Names): boolean {
  return name.toLowerCase() === '.github'
}
