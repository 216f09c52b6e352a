import { z } from 'zod'

const Observed = z.looseObject({
  source: z.enum(['pull_request', 'branch']),
  pr_url: z.string().nullable(),
  title: z.string(),
  branch: z.string().nullable(),
  scope: z.looseObject({ paths: z.array(z.string()) }),
  changes: z.looseObject({ files: z.array(z.looseObject({ status: z.string() })).optional() }).nullable(),
})

/**
 * An activity as a model may read it (docs/rules.md#strangers-words). The author of a pull request may be a stranger, so of
 * observed work neither the title stands there, nor the branch of a fork, nor the name of a file that is new.
 */
function withoutAuthorsWords(activity: unknown): unknown {
  const { data } = Observed.safeParse(activity)
  if (!data) return activity
  const { pr_url, branch, scope, changes } = data
  const number = /\/pull\/(\d+)$/.exec(pr_url ?? '')?.[1]
  const files = changes?.files?.filter(({ status }) => status === 'modified' || status === 'removed')
  return {
    ...data,
    title: number === undefined ? 'A pushed branch' : `Pull request #${number}`,
    branch: branch?.includes(':') ? null : branch,
    scope: { ...scope, paths: [] },
    changes: changes && { ...changes, ...(files && { files }) },
  }
}

/** Takes the words of authors of observed work out of the answer of an operation: of one activity, or of a list. */
export function hideAuthorsWords(answer: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(answer.items)) return { ...answer, items: answer.items.map(withoutAuthorsWords) }
  return z.record(z.string(), z.unknown()).parse(withoutAuthorsWords(answer))
}
