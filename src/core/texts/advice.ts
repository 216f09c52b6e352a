import { isSameLogin } from '../names.ts'
import type { Nearness } from '../overlap/comparison.ts'
import { type Findings, withIntroduction } from './answer.ts'
import { quoted } from './quote.ts'
import { issueList, joined } from './words.ts'
import { contactName } from './work-name.ts'

type Collision = Findings['decision']['collisions'][number]

const mostNotables = 5

/** What to do. Never empty, and "Go ahead" only where nothing stands in the way. */
export function adviceLines(findings: Findings): string[] {
  const { notables, obstacles } = findings.decision
  return withIntroduction([
    ...ownLines(findings),
    ...notables.slice(0, mostNotables).map(({ notable }) => `Read ${quoted(notable.title)} first.`),
    ...collisionLines(findings),
    ...contextLines(findings),
    ...gapLines(findings),
    ...(obstacles.length === 0 ? ['Go ahead.'] : []),
  ])
}

function ownLines({ decision, ownId, ownEndedAs }: Findings): string[] {
  if (ownEndedAs !== null)
    return [`Your record ${ownEndedAs}: others do not see it any more. If the work goes on, record it anew.`]
  const isRecorded = decision.expected.some(
    ({ relationship, activity }) => relationship === 'own' && activity.source === 'recorded',
  )
  if (ownId !== null || !isRecorded) return []
  return ['This branch has its record: update it rather than make another.']
}

/** The worst work of another member decides, and the worst of one's own; nobody waits for strangers alone. */
function collisionLines({ decision: { collisions }, proposal }: Findings): string[] {
  const members = collisions.filter(({ activity }) => !activity.isStranger)
  if (members.length === 0)
    return collisions.length === 0 ? [] : ["Only pull requests from outside meet this: don't wait for them."]
  const isReaders = ({ activity }: Collision) => isSameLogin(activity.author_login, proposal.login)
  const [own, others] = [members.find(isReaders), members.filter((one) => !isReaders(one))]
  return [...adviceOn(others), ...(own ? [adviceOnOwn(own)] : [])]
}

function adviceOnOwn({ activity: { pr_number, title } }: Collision): string {
  return `See that this and your own ${pr_number === null ? quoted(title) : `#${pr_number}`} fit together.`
}

/** The worst decides what to do, and with whom: all that are as bad. */
function adviceOn(others: readonly Collision[]): string[] {
  const kindOf = ({ severity, comparison: { by } }: Collision) => (by === 'issue' ? by : severity)
  const [worst] = others
  if (!worst) return []
  const alike = others.filter((one) => one.severity === worst.severity && kindOf(one) === kindOf(worst))
  const who = joined([...new Set(alike.map(({ activity }) => contactName(activity)))])
  switch (kindOf(worst)) {
    case 'issue':
      return [`Ask ${who} who works on the issue.`]
    case 'high':
      return [`Talk to ${who} before you start.`]
    case 'medium':
      return [`Agree with ${who} who changes what.`]
    default:
      return [`Let ${who} know.`]
  }
}

function contextLines({ decision, reuse }: Findings): string[] {
  const lines: string[] = []
  const numbers = reuse.flatMap(({ number }) => number ?? [])
  const merged = numbers.length === 0 ? 'first what was merged lately' : `${issueList(numbers)} first, merged lately`
  if (reuse.length > 0) lines.push(`See ${merged}.`)
  const titles = decision.repositoryNotables.map(({ title }) => quoted(title))
  if (titles.length > 0) lines.push(`Keep in mind for the whole repository: ${joined(titles, mostNotables)}.`)
  return lines
}

/** What to do about everything that is not known. */
function gapLines({ decision, proposal, observed }: Findings): string[] {
  const { obstacles } = decision
  const lines: string[] = []
  if (obstacles.includes('nothing_named')) lines.push('Name the files that you will change, and check again.')
  if (obstacles.includes('near')) lines.push(...nearAdvice(decision.nearby))
  if (proposal.isIncomplete) lines.push('Split the work: nothing compares all files that it changes.')
  else if (obstacles.includes('cut')) lines.push('Name fewer paths, or plainer globs, and check again.')
  if (obstacles.includes('not_read')) {
    const isAllowed = observed.pull_requests !== 'unavailable'
    lines.push(
      isAllowed ? 'Not all open work is read: check again in a minute.' : 'Check with a token that may read them.',
    )
  }
  return lines
}

const unsure: readonly Nearness[] = ['base', 'whole', 'renamed_directory', 'directory']

function nearAdvice(nearby: Findings['decision']['nearby']): string[] {
  const members = nearby.filter(({ activity }) => !activity.isStranger)
  const others = members.filter(({ comparison }) => comparison.nearness.some((one) => unsure.includes(one)))
  const isWide = others.length === 0 || members.some(({ comparison }) => comparison.nearness.includes('wide'))
  return [
    ...(isWide ? ['Name the files that you will change: others change some below these paths.'] : []),
    ...(others.length > 0
      ? [`See whether you and ${joined(others.map(({ activity }) => contactName(activity)))} can merge.`]
      : []),
  ]
}
