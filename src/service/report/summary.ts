import type { FileOverlap } from '../../core/rules/changed/compare-changes.ts'
import { issueList } from '../../core/texts/issue-list.ts'
import { joinWords } from '../../core/texts/join-words.ts'
import { shownLines, shownRange } from '../../core/texts/lines/file-words.ts'
import { type CollidingPull, foremostOf, isSameLines } from './colliding-pulls.ts'
import { code, codePath, loginInMarkdown } from './markdown.ts'
import { minuteOf, notablesSection } from './notable-words.ts'
import { countedPulls, type ReportFacts } from './report-facts.ts'

const mostPulls = 10
const mostFiles = 5

/**
 * The summary in Markdown. It holds numbers, logins, branches, files and the titles of notables, and of no pull request
 * (docs/rules.md#reports).
 */
export function summaryOf(facts: ReportFacts): string {
  const { colliding, notCompared, pageUrl } = facts
  const shown = notCompared === null ? shownOf(colliding) : []
  const hidden = shown.reduce((left, { more }) => left - 1 - more, colliding.length)
  const aboutNotables = notablesSection(facts.notables)
  const isFirst = facts.notables.some(({ isGrave }) => isGrave)
  return [
    ...(isFirst ? aboutNotables : []),
    ...(shown.length > 0 ? [table(shown)] : []),
    [...adviceOf(facts)].join(' '),
    ...(isFirst ? [] : aboutNotables),
    ...leftOut(facts, hidden),
    `Advice: this check never fails. Don't make it required.${pageUrl === null ? '' : ` [All work in flight](${pageUrl})`}`,
  ].join('\n\n')
}

/** A row of the table: that of a stranger stands for all of theirs. */
interface Row {
  pull: CollidingPull
  more: number
}

/** The first ones, one for each stranger. The one that the title names is always among them. */
function shownOf(colliding: readonly CollidingPull[]): readonly Row[] {
  const rows: Row[] = []
  for (const pull of colliding) {
    const known = rows.find((row) => row.pull.byStranger && row.pull.login === pull.login)
    if (pull.byStranger && known) known.more++
    else rows.push({ pull, more: 0 })
  }
  const first = rows.slice(0, mostPulls)
  const foremost = foremostOf(colliding)
  if (foremost === undefined || first.some(({ pull }) => pull === foremost)) return first
  return [...first.slice(0, -1), { pull: foremost, more: 0 }]
}

function table(shown: readonly Row[]): string {
  const rows = shown.map(
    (row) => `| ${pullCell(row.pull)} | ${byCell(row)} | ${pushedCell(row.pull)} | ${filesCell(row.pull)} |`,
  )
  return ['| pull request | by | pushed | files |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function pullCell({ number, branch }: CollidingPull): string {
  return branch === null ? `#${number}` : `#${number} on ${code(branch)}`
}

function byCell({ pull: { login, isOwn, byStranger }, more }: Row): string {
  const who = loginInMarkdown(login)
  const from = byStranger ? ', from outside' : ''
  return `${who}${isOwn ? ', also the author of this one' : from}${more > 0 ? `, and ${more} more of ${who}` : ''}`
}

function pushedCell({ pushedAt, isStale }: CollidingPull): string {
  return `${minuteOf(pushedAt)}${isStale ? ' (stale)' : ''}`
}

function filesCell(pull: CollidingPull): string {
  const sameIssues = pull.issues.length === 0 ? [] : [`for the same ${issueList(pull.issues)}`]
  return [...sameIssues, ...filesOf(pull)].join('<br>')
}

function filesOf({ files, filesTotal, isWide }: CollidingPull): string[] {
  const distinct = files.filter(({ path }, at) => files.findIndex((file) => file.path === path) === at)
  if (distinct.length === 0) return []
  if (isWide) {
    const touched = distinct.filter(isSameLines).length
    const shared = touched > 0 ? `${touched} of yours on the same lines` : `${distinct.length} of yours among them`
    return [`changes ${count(filesTotal, 'file')}, ${shared}`]
  }
  const more = distinct.length - mostFiles
  const named = distinct.slice(0, mostFiles).map(fileWords)
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])]
}

function fileWords(file: FileOverlap): string {
  const path = file.unnamed ? 'a new file' : codePath(file.path)
  const { proximity, theirChange, theirLines, lines } = file
  if (proximity === 'same content' && theirChange.status !== 'removed') return `${path}: the same content`
  if (proximity === 'whole file' || proximity === 'same content') return `${path}: ${statusWords(file)}`
  if (theirLines !== null && lines !== null)
    return `${path}: ${shownRange(theirLines)} there, ${shownRange(lines)} here`
  return theirChange.lines === null ? `${path}: lines not known` : `${path}: ${shownLines(theirChange)} there`
}

function statusWords({ change, theirChange }: FileOverlap): string {
  if (change === null) return theirChange.status
  return change.status === theirChange.status
    ? `${change.status} by both`
    : `${theirChange.status} there, ${change.status} here`
}

/** The advice, a sentence at a time. */
function* adviceOf(facts: ReportFacts): Generator<string> {
  const { base, notCompared, merged, colliding, isPartlyListed, isCut } = facts
  const worst = foremostOf(colliding)
  if (notCompared === 'dirty') {
    yield `This branch conflicts with ${code(base)} already, and so it is not compared with others.`
    yield `Bring ${code(base)} into it and resolve the conflicts: after that push it is compared.`
  } else if (notCompared === 'no files') {
    yield 'GitHub did not list the changed files of this pull request, so it is not compared.'
    yield 'GitHub is asked again, at the latest after the next push. Until then look at the open pull requests yourself.'
  } else if (notCompared === 'put aside') {
    yield 'This pull request was put aside, and so it is not compared with others.'
    yield 'Its next push or its reopening brings it back.'
  } else if (merged.length > 0) {
    const names = merged.slice(0, mostFiles).map(({ number, login }) => `#${number} by ${loginInMarkdown(login)}`)
    yield `${joinWords(names)} changed lines that this branch changes too, and ${merged.length === 1 ? 'is' : 'are'} merged.`
    yield `Bring ${code(base)} into this branch now: the conflict only grows.`
    if (worst) yield 'The table shows those that are still open.'
  } else if (worst && countedPulls(facts).length === 0) {
    yield 'Nothing to do now: only pull requests from outside of the project meet this one, and nobody has to wait for them.'
  } else if (worst) yield collisionAdvice(worst, base)
  else yield 'No other open pull request is known to change these lines.'
  if (isPartlyListed && notCompared === null)
    yield 'GitHub lists at most 3,000 files of a pull request, and the others here are not compared: look at the open pull requests yourself.'
  if (isCut && notCompared === null)
    yield 'So many files are changed that not all open pull requests were compared: look at the large ones yourself.'
}

function collisionAdvice(worst: CollidingPull, base: string): string {
  const { number, login, closeness, isOwn, isStale, issues, files } = worst
  const who = loginInMarkdown(login)
  if (closeness === 'near' && files.length === 0)
    return `Nothing to do now. #${number} is for the same ${issueList(issues)}, with low severity.`
  if (closeness === 'near')
    return `Nothing to do now. #${number} changes a file that is changed here, but which lines is not known.`
  if (closeness === 'same change')
    return `#${number} by ${who} is the same change: ${isOwn ? 'close one of the two' : 'agree on which of the two to keep'}.`
  if (closeness === 'same issue')
    return `#${number} by ${isOwn ? 'the same author' : who} is for the same ${issueList(issues)}: ${isOwn ? 'see whether both are needed' : 'agree on which of the two goes on, or on who does what'}.`
  if (isOwn)
    return `#${number} is by the same author: merge one of the two first, then bring ${code(base)} into the other.`
  if (isStale)
    return `#${number} had no push for long: ask ${who} whether it is still worked on before you wait for it.`
  if (closeness === 'same lines')
    return `Agree with ${who} on which of the two is merged first: the second one will most likely have a conflict to resolve.`
  if (files.every(({ proximity }) => proximity === 'unknown lines'))
    return `Ask ${who} which lines #${number} changes: it is marked as blocking or as risky, and the lines are not known here.`
  return `Tell ${who} what you change: the two are so close that a small further edit can make them a conflict.`
}

/** What was not compared or is not shown, and why. */
function leftOut(facts: ReportFacts, hidden: number): string[] {
  if (facts.notCompared !== null) return []
  const { nearbyCount, unread, partlyListed, isPartlyListed, ignoredFiles } = facts
  const parts = [
    ...(hidden > 0
      ? [`${count(hidden, 'more open pull request')} with ${hidden === 1 ? 'a collision' : 'collisions'}`]
      : []),
    ...(nearbyCount > 0
      ? [
          `${count(nearbyCount, 'open pull request')} that ${nearbyCount === 1 ? 'changes' : 'change'} the same files farther away or alike, or ${nearbyCount === 1 ? 'is' : 'are'} by an ignored author or for an issue that many name`,
        ]
      : []),
    ...(isPartlyListed ? ['changed files here that GitHub did not list'] : []),
    ...(ignoredFiles > 0
      ? [
          `${count(ignoredFiles, 'changed file')} here that ${ignoredFiles === 1 ? 'is' : 'are'} ignored, as lock files are`,
        ]
      : []),
    ...(unread > 0 ? [`${count(unread, 'open pull request')} whose files are not read yet`] : []),
    ...(partlyListed > 0
      ? [`${count(partlyListed, 'open pull request')} of which GitHub does not list all files`]
      : []),
    'work without a pull request',
  ]
  return [`Left out: ${parts.join('; ')}.`]
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
