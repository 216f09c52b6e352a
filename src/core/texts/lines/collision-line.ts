import { enumValue, liveStatuses, type Severity } from '../../enums.ts'
import { hidesWords } from '../../rules/author.ts'
import type { ComparedActivity } from '../../rules/candidates/rows.ts'
import { directoryOf } from '../../rules/changed/unnamed-file.ts'
import { type Findings, type FoundSameChange, isEarlier, type LoadedCollision } from '../../rules/findings.ts'
import { mostDescribed } from '../../rules/response/id-limits.ts'
import { examplePathOf, type ScopeOverlap } from '../../scope/compare.ts'
import { ago } from '../age.ts'
import { issueList } from '../issue-list.ts'
import { joinFirst } from '../join-words.ts'
import { newFileBelow } from '../new-file.ts'
import { quoted, quotedPath } from '../quote.ts'
import { nameOf, pullOrName } from '../work-name.ts'
import { fileWords, type Proposer, proposerNamed, reader } from './file-words.ts'
import { sameChangeWords } from './same-change-words.ts'

const doing = {
  planned: 'plans',
  active: 'is working on',
  paused: 'has paused',
  blocked: 'is blocked on',
  'draft-pr-open': 'has a draft pull request open for',
  'ready-for-review': 'is waiting for a review of',
} as const

/** The line of `reason` about a collision: who, what, where, how fresh, who was first, how severe. */
export function collisionLine(collision: LoadedCollision, found: Pick<Findings, 'now' | 'own'>): string {
  const words = wordsForReader(collision, freshness(collision, found))
  return `${words} ${weightOf(collision)}${moreOfAuthor(collision)}.`
}

function wordsForReader(collision: LoadedCollision, age: string): string {
  const { sameChange, isWide, changes } = collision
  if (sameChange?.isTold)
    return `${subjectWords(collision, whoElseDoes(collision))}, ${age}: ${sameAs(collision, sameChange, reader)}`
  if (isWide && changes !== null) return `${wideWords(collision)}, ${age}`
  return [subjectWords(collision, whoDoes(collision)), age, ...touching(collision, reader)].join(', ')
}

function moreOfAuthor({ activity, moreOfAuthor: more = 0 }: LoadedCollision): string {
  return more === 0 ? '' : `, and ${more} more of ${quoted(activity.actor)}`
}

/** The line about two activities for any reader at any time: it says whose lines are meant, and has no ages. */
export function pairLine(collision: LoadedCollision, actor: string): string {
  return `${wordsOfPair(collision, proposerNamed(quoted(actor)))} ${weightOf(collision)}.`
}

function wordsOfPair(collision: LoadedCollision, proposer: Proposer): string {
  const subject = subjectWords(collision, whoElseDoes(collision))
  const { sameChange } = collision
  if (sameChange?.isTold) return `${subject}: ${sameAs(collision, sameChange, proposer)}`
  const touched = touching(collision, proposer)
  return touched.length === 0 ? `${subject} as ${proposer.name}` : [subject, ...touched].join(', ')
}

function sameAs({ activity }: LoadedCollision, same: FoundSameChange, proposer: Proposer): string {
  return sameChangeWords(same, pullOrName(activity), proposer)
}

function subjectWords(collision: LoadedCollision, who: string): string {
  const { activity } = collision
  const { branch } = activity
  const isNamed = activity.source === 'branch' || branch === null || hidesWords(activity)
  const where = isNamed ? '' : ` on branch ${quoted(branch)}`
  return `${who} ${titledName(activity)}${where}${sameIssues(collision)}`
}

function whoDoes(collision: LoadedCollision): string {
  const { activity, ownership } = collision
  if (ownership === 'of others') return whoElseDoes(collision)
  const who = actorWords(activity)
  if (activity.source === 'recorded')
    return ownership === 'own' ? `${who}, on your account, ${doingWords(activity)}` : whoElseDoes(collision)
  return ownership === 'own' ? 'Your own' : `Perhaps your own, by ${who}:`
}

/** The names of the people, for any reader. */
function whoElseDoes({ activity, byStranger }: LoadedCollision): string {
  return `${byStranger ? 'From outside, ' : ''}${actorWords(activity)} ${doingWords(activity)}`
}

function actorWords({ actor, agent }: ComparedActivity): string {
  return `${quoted(actor)}${agent && agent !== actor ? ` (with ${quoted(agent)})` : ''}`
}

function doingWords({ status, source }: ComparedActivity): string {
  if (source === 'recorded') return doing[enumValue(liveStatuses, status)]
  if (source === 'branch') return 'has'
  return `has ${status === 'draft-pr-open' ? 'draft ' : ''}pull request`
}

/** The name of the work, and for a pull request its title too, unless that is a stranger's. */
function titledName(activity: ComparedActivity): string {
  const hasTitle = activity.source === 'pull_request' && activity.pr_number !== null && !hidesWords(activity)
  return `${nameOf(activity)}${hasTitle ? ` ${quoted(activity.title)}` : ''}`
}

function wideWords(collision: LoadedCollision): string {
  const { activity, changes, byStranger } = collision
  const files = changes?.files.filter(({ severity }) => severity !== null) ?? []
  const touched = files.filter(({ proximity }) => proximity === 'same lines').length
  const yours = touched > 0 ? `${touched} of yours on the same lines` : `${files.length} of yours among them`
  const total = (activity.changed?.work.filesTotal ?? 0).toLocaleString('en-US')
  const name = nameOf(activity)
  const what = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return `${what} by ${quoted(activity.actor)}${byStranger ? ' from outside' : ''}${sameIssues(collision)} changes ${total} files, ${yours}`
}

/** ` for the same issue #42`, or nothing. */
function sameIssues({ issues }: Pick<LoadedCollision, 'issues'>): string {
  return issues.length === 0 ? '' : ` for the same ${issueList(issues)}`
}

/** The place that both touch; none where they only share an issue. */
function touching(collision: LoadedCollision, proposer: Proposer): string[] {
  const { changes, overlap, issues } = collision
  return issues.length > 0 && changes === null && overlap === null ? [] : [touchedPlace(collision, proposer)]
}

function touchedPlace({ changes, overlap }: LoadedCollision, proposer: Proposer): string {
  const [worst] = changes?.files ?? []
  if (worst && changes) {
    const others = changes.files.filter((file) => file !== worst && file.severity !== null)
    const more = new Set(others.map(({ path }) => path).filter((path) => path !== worst.path)).size
    return `${fileWords(worst, proposer)}${more > 0 ? ` (and ${more} more of ${proposer.possessive} files)` : ''}`
  }
  // The paths overlap according to the index, but an example path is too costly to find.
  const as = proposer.name === null ? '' : ` as ${proposer.name}`
  if (!overlap?.paths && !overlap?.areas.length) return `touching the same files${as}`
  const place = placeOf(overlap)
  if (overlap.sameFile) return `naming the same file${as}, ${place}`
  if (!overlap.paths) return proposer.name === null ? `sharing ${place}` : `sharing ${place} with ${proposer.name}`
  return as === '' ? `touching files such as ${place}` : `touching the same files${as}, such as ${place}`
}

/** The example path, or the directory of the other side's glob where no text may name it, or the shared areas. */
export function placeOf(overlap: ScopeOverlap): string {
  const { areas, paths } = overlap
  const examplePath = examplePathOf(overlap)
  if (examplePath !== undefined) return quotedPath(examplePath)
  if (paths) return newFileBelow(directoryOf(paths.b.head) || null)
  const labels = areas.map((label) => quoted(label))
  return `the ${areas.length === 1 ? 'area' : 'areas'} ${joinFirst(labels, mostDescribed)}`
}

function freshness({ activity, isStale }: LoadedCollision, { now, own }: Pick<Findings, 'now' | 'own'>): string {
  const { source, began_at, seen_at } = activity
  // A proposal without a record has not begun.
  const order = own && !isEarlier(activity, own) ? ', after you' : ', before you'
  const began = `${source === 'pull_request' ? 'opened' : 'begun'} ${ago(began_at, now)}${order}`
  if (isStale) return `${began}, last pushed ${ago(seen_at ?? began_at, now)}`
  if (seen_at === null) return began
  return `${began}, ${source === 'recorded' ? 'seen' : 'pushed'} ${ago(seen_at, now)}`
}

function weightOf({ activity: { blocking }, severity }: LoadedCollision): string {
  return severityWords(severity, blocking)
}

/** The severity is the only measure that a text names (docs/words.md). `blocking` is a warning beside it. */
export function severityWords(severity: Severity, blocking: boolean): string {
  return `(${severity} severity${blocking ? ', blocking' : ''})`
}
