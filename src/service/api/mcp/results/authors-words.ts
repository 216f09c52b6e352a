import { z } from 'zod'

/** An activity has a `type` and a `source`. One of the two is enough to treat a record as one. */
const Activity = z.union([z.looseObject({ type: z.literal('activity') }), z.looseObject({ source: z.unknown() })])

const Observed = z.looseObject({
  source: z.enum(['pull_request', 'branch']),
  pr_url: z.string().nullable(),
  title: z.string(),
  branch: z.string().nullable(),
  scope: z.looseObject({ paths: z.array(z.string()) }),
  changes: z.looseObject({ files: z.array(z.looseObject({ status: z.string() })).optional() }).nullable(),
})

/**
 * An activity as a model may read it (docs/rules.md#strangers-words). The author of a pull request may be a stranger.
 * So the title of observed work, the branch of a fork, and the names of new files and of directories are left out. Work that is neither
 * recorded nor understood keeps only its id.
 */
function withoutAuthorsWords(record: unknown): unknown {
  const { data: activity } = Activity.safeParse(record)
  if (!activity || activity.source === 'recorded') return record
  const { data } = Observed.safeParse(activity)
  if (!data) return { id: activity.id, type: 'activity', title: 'Work that can not be shown' }
  const { pr_url, branch, scope, changes } = data
  const number = /\/pull\/(\d+)$/.exec(pr_url ?? '')?.[1]
  const files = changes?.files?.filter(({ status }) => status === 'modified' || status === 'removed')
  return {
    ...data,
    title: number === undefined ? 'A pushed branch' : `Pull request #${number}`,
    branch: branch?.includes(':') ? null : branch,
    scope: { ...scope, paths: [] },
    scope_changed: [],
    changes: changes && { ...changes, ...(files && { files }) },
  }
}

/** Takes the words of authors of observed work out of the answer of an operation: of one activity, or of a list. */
export function hideAuthorsWords(answer: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(answer.items)) return { ...answer, items: answer.items.map(withoutAuthorsWords) }
  return z.record(z.string(), z.unknown()).parse(withoutAuthorsWords(answer))
}
