import { z } from 'zod'

/** GitHub's payloads always have ids. Hand-made ones may not (docs/rules.md#payload-identity). */
const id = z
  .int()
  .positive()
  .nullish()
  .transform((value) => (typeof value === 'number' ? BigInt(value) : undefined))

/** PostgreSQL stores no NUL. GitHub allows none in a name. */
const ref = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0]*$/)
const word = ref.optional().catch(undefined)
/** The number of a pull request is stored as PostgreSQL's integer. */
const number = z.int().positive().max(2_147_483_647)

/** GitHub writes instants as text, and in a push as seconds. An unreadable one counts as absent. */
const instant = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => {
    if (value === null || value === undefined) return null
    const date = new Date(typeof value === 'number' ? value * 1000 : value)
    const year = date.getUTCFullYear()
    return year >= 1970 && year <= 9999 ? date : null
  })

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

const HeadRepository = z.object({ id, full_name: word }).nullish()

export const PullRequestEvent = z.object({
  action: z.string(),
  repository: RepositoryPayload,
  pull_request: z.object({
    number,
    state: z.string().optional(),
    draft: z.boolean().optional(),
    merged: z.boolean().nullish(),
    merged_at: instant,
    updated_at: instant,
    head: z.object({ ref, repo: HeadRepository }),
    base: z.object({ ref: word }).optional().catch(undefined),
  }),
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

/** The head branch, if it is in the same repository. Null for a branch of a fork, also of a deleted one. */
export function headInSameRepository({ repository, pull_request }: PullRequestEvent): string | null {
  const { ref, repo } = pull_request.head
  if (repo === undefined) return ref
  if (repo === null) return null
  if (repo.id !== undefined && repository.id !== undefined) return repo.id === repository.id ? ref : null
  const same = repo.full_name?.toLowerCase() === repository.full_name?.toLowerCase()
  return same && repo.full_name !== undefined ? ref : null
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
