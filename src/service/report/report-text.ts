import { issueList } from '../../core/texts/issue-list.ts'
import { excerpt } from '../../core/texts/quote.ts'
import { type CollidingPull, foremostOf } from './colliding-pulls.ts'
import { plainLogin } from './markdown.ts'
import { titleOfNotables } from './notable-words.ts'
import { type Conclusion, countedPulls, type MergedPull, type ReportFacts } from './report-facts.ts'
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
export function headlineOf(facts: ReportFacts): Headline {
  return headline(facts, { namesStrangers: true })
}

/**
 * The headline without pull requests that had no push for long, and without the names of strangers: neither is ever the reason
 * to rewrite a report.
 */
export function freshHeadlineOf(facts: ReportFacts): Headline {
  const fresh = { ...facts, colliding: facts.colliding.filter(({ isStale }) => !isStale) }
  return headline(fresh, { namesStrangers: false })
}

/** GitHub's check runs have no longer titles. */
const longestTitle = 255

/** A grave notable stands first, before what collides, and makes it `neutral`. */
function headline(facts: ReportFacts, names: { namesStrangers: boolean }): Headline {
  const beside = headlineOfPulls(facts, names)
  const notables = titleOfNotables(facts.notables)
  return notables === null ? beside : neutral(excerpt(`${notables} · ${beside.title}`, longestTitle))
}

function headlineOfPulls(facts: ReportFacts, { namesStrangers }: { namesStrangers: boolean }): Headline {
  const { base, notCompared, merged, colliding, isPartlyListed, isCut } = facts
  if (notCompared === 'dirty') return neutral(`Conflicts with ${excerpt(base)} already`)
  if (notCompared === 'no files') return neutral('Not compared: GitHub did not list the files')
  if (notCompared === 'put aside') return neutral('Not compared: put aside until the next push')
  const [latest] = merged
  if (latest) return neutral(`Merged meanwhile with the same lines: ${named(latest)}; update from ${excerpt(base)}`)
  const worst = foremostOf(countedPulls(facts))
  if (isPartlyListed && (!worst || worst.closeness === 'near'))
    return neutral('Not fully compared: GitHub did not list all files')
  if (isCut && (!worst || worst.closeness === 'near')) return neutral('Not fully compared: too much is changed')
  const first = worst ?? foremostOf(colliding)
  if (!first) return success('No overlap with work in flight')
  const beginning = worst ? beginningOf(worst) : 'Only outside pull requests:'
  const title = first.byStranger && !namesStrangers ? beginning : `${beginning} ${named(first)}${more(facts, first)}`
  return worst && worst.closeness !== 'near' ? neutral(title) : success(title)
}

function beginningOf({ closeness, issues }: CollidingPull): string {
  return closeness === 'same issue' ? `Same ${issueList(issues)} as` : beginnings[closeness]
}

const beginnings = {
  'same change': 'Same change as',
  'same lines': 'Same lines as',
  close: 'Close to',
  near: 'Only near:',
} as const

function neutral(title: string): Headline {
  return { conclusion: 'neutral', title }
}

function success(title: string): Headline {
  return { conclusion: 'success', title }
}

function named({ number, login }: MergedPull): string {
  return `#${number} (${plainLogin(login)})`
}

/** How many others are as close. Beside a member those of strangers do not count. */
function more({ colliding }: ReportFacts, first: CollidingPull): string {
  const others = colliding.filter((one) => one !== first && one.closeness === first.closeness)
  const count = first.byStranger ? others.length : others.filter(({ byStranger }) => !byStranger).length
  return count === 0 ? '' : ` and ${count} more`
}
