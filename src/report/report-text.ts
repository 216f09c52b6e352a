import { excerpt } from '../overlap/quote.ts'
import { type CollidingPull, foremostOf } from './colliding-pulls.ts'
import { plainLogin } from './markdown.ts'
import type { Conclusion, MergedPull, ReportFacts } from './report-facts.ts'
import { summaryOf } from './summary.ts'

/** A check run as it is written: advice, which never fails (docs/rules.md#reports). */
export interface Report {
  conclusion: Conclusion
  title: string
  summary: string
}

export function reportOf(facts: ReportFacts): Report {
  return { ...headlineOf(facts), summary: summaryOf(facts) }
}

export type Headline = Pick<Report, 'conclusion' | 'title'>

/** The conclusion and the title. A report is rewritten only where one of them changes. */
export function headlineOf({ base, notCompared, merged, colliding, isPartlyListed }: ReportFacts): Headline {
  if (notCompared === 'dirty') return neutral(`Conflicts with ${excerpt(base)} already`)
  if (notCompared === 'no files') return neutral('Not compared: GitHub did not list the files')
  if (notCompared === 'put aside') return neutral('Not compared: put aside until the next push')
  const [latest] = merged
  if (latest) return neutral(`Merged meanwhile with the same lines: ${named(latest)}; update from ${excerpt(base)}`)
  const worst = foremostOf(colliding)
  if (isPartlyListed && (!worst || worst.closeness === 'near'))
    return neutral('Not fully compared: GitHub did not list all files')
  if (!worst) return { conclusion: 'success', title: 'No overlap with work in flight' }
  const title = `${beginnings[worst.closeness]} ${named(worst)}${more(colliding, worst)}`
  return worst.closeness === 'near' ? { conclusion: 'success', title } : neutral(title)
}

/** The headline without pull requests that had no push for long: they are never the reason to rewrite a report. */
export function freshHeadlineOf(facts: ReportFacts): Headline {
  return headlineOf({ ...facts, colliding: facts.colliding.filter(({ isStale }) => !isStale) })
}

const beginnings = { 'same lines': 'Same lines as', close: 'Close to', near: 'Only near:' } as const

function neutral(title: string): Headline {
  return { conclusion: 'neutral', title }
}

function named({ number, login }: MergedPull): string {
  return `#${number} (${plainLogin(login)})`
}

/** How many others are as close. */
function more(colliding: readonly CollidingPull[], worst: CollidingPull): string {
  const others = colliding.filter((one) => one !== worst && one.closeness === worst.closeness).length
  return others === 0 ? '' : ` and ${others} more`
}
