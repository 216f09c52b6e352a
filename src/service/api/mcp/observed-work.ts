import { z } from 'zod'
import type { Remark } from './remark.ts'

/** The list of activities is that of recorded work, unless the model names a source. */
export const onlyRecorded = { source: 'recorded' }

const observed = 'pull_request,branch'

const Page = z.object({
  items: z.array(z.object({ source: z.string(), pr_url: z.string().nullable() })),
  next_cursor: z.string().nullable(),
})

/** Counts the observed work that the list of recorded work leaves out. */
export const remarkOnOthers: Remark = {
  description: 'Present if there is other work than the recorded work listed here: counts it.',
  async write(call, { repository: _, source, cursor, limit: __, ...filters }) {
    if (source !== undefined || cursor !== undefined) return undefined
    const page = Page.parse((await call('listActivities', { ...filters, source: observed, limit: 100 })).body)
    if (page.items.length === 0) return undefined
    const count = `${page.items.length}${page.next_cursor === null ? '' : ' or more'}`
    return `Beside the recorded work listed here there are open pull requests and pushed branches that nobody recorded: ${count}. Call again with source "${observed}" to list them.`
  },
}

/** Tells the open pull request or the pushed branch that the activity is for. */
export const remarkOnSeenPullRequest: Remark = {
  description: 'Present if the open pull request or the push of the branch was known before the activity.',
  async write(call, { branch }) {
    if (typeof branch !== 'string') return undefined
    const { items } = Page.parse((await call('listActivities', { branch, source: observed, limit: 10 })).body)
    const [number] = items.flatMap(({ pr_url }) => /\/pull\/(\d+)$/.exec(pr_url ?? '')?.[1] ?? [])
    if (items.length === 0) return undefined
    if (number === undefined)
      return 'This branch is seen already, as it was pushed. This activity stands for it as long as it lives.'
    return `The open pull request of this branch is seen already as #${number}. This activity stands for it as long as it lives.`
  },
}
