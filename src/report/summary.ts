import type { FileOverlap } from '../overlap/changed/compare-changes.ts'
import { joinWords } from '../overlap/quote.ts'
import { linesOf, shownLines } from '../overlap/texts/file-words.ts'
import { type CollidingPull, foremostOf } from './colliding-pulls.ts'
import { code, codePath, loginInMarkdown } from './markdown.ts'
import type { ReportFacts } from './report-facts.ts'

const mostPulls = 10
const mostFiles = 5

/** The summary in Markdown. It holds numbers, logins, branches and files, and nobody's title (docs/rules.md#reports). */
export function summaryOf(facts: ReportFacts): string {
  const { colliding, notCompared, pageUrl } = facts
  const shown = notCompared === null ? shownOf(colliding) : []
  return [
    ...(shown.length > 0 ? [table(shown)] : []),
    [...adviceOf(facts)].join(' '),
    ...leftOut(facts, colliding.length - shown.length),
    `Advice: this check never fails. Don't make it required.${pageUrl === null ? '' : ` [All work in flight](${pageUrl})`}`,
  ].join('\n\n')
}

/** The first ones. The one that the title names is always among them. */
function shownOf(colliding: readonly CollidingPull[]): readonly CollidingPull[] {
  const first = colliding.slice(0, mostPulls)
  const foremost = foremostOf(colliding)
  if (foremost === undefined || first.includes(foremost)) return first
  return [...first.slice(0, -1), foremost]
}

function table(pulls: readonly CollidingPull[]): string {
  const rows = pulls.map((pull) => `| ${pullCell(pull)} | ${byCell(pull)} | ${pushedCell(pull)} | ${filesCell(pull)} |`)
  return ['| pull request | by | pushed | files |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function pullCell({ number, branch }: CollidingPull): string {
  return branch === null ? `#${number}` : `#${number} on ${code(branch)}`
}

function byCell({ login, isOwn }: CollidingPull): string {
  return `${loginInMarkdown(login)}${isOwn ? ', also the author of this one' : ''}`
}

/** The date: the text is read later too. */
function pushedCell({ pushedAt, isStale }: CollidingPull): string {
  return `${pushedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC${isStale ? ' (stale)' : ''}`
}

function filesCell({ files, filesTotal, isWide }: CollidingPull): string {
  if (isWide) return `changes ${count(filesTotal, 'file')}, ${files.length.toLocaleString('en')} of yours among them`
  const distinct = files.filter(({ path }, at) => files.findIndex((file) => file.path === path) === at)
  const more = distinct.length - mostFiles
  const named = distinct.slice(0, mostFiles).map(fileWords)
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('<br>')
}

function fileWords(file: FileOverlap): string {
  const path = codePath(file.path)
  const { proximity, theirChange, theirLines, lines } = file
  if (proximity === 'whole file') return `${path}: ${theirChange.status}${yours(file)}`
  if (theirLines !== null && lines !== null) return `${path}: ${linesOf([theirLines])}, yours ${linesOf([lines])}`
  return theirChange.lines === null ? `${path}: lines not known` : `${path}: ${shownLines(theirChange)}`
}

function yours({ change, theirChange }: FileOverlap): string {
  if (change === null) return ''
  return change.status === theirChange.status ? ' by both' : `, ${change.status} here`
}

/** What is best done. */
function* adviceOf({ base, notCompared, merged, colliding }: ReportFacts): Generator<string> {
  const worst = foremostOf(colliding)
  if (notCompared === 'dirty') {
    yield `This branch conflicts with ${code(base)} already, and so it is not compared with others.`
    yield `Bring ${code(base)} into it and resolve the conflicts; its next push is compared.`
  } else if (notCompared === 'no files') {
    yield 'GitHub did not list the changed files of this pull request. It is compared with its next push.'
    yield 'Until then look at the open pull requests yourself.'
  } else if (merged.length > 0) {
    const names = merged.slice(0, mostFiles).map(({ number, login }) => `#${number} by ${loginInMarkdown(login)}`)
    yield `${joinWords(names)} changed lines that this branch changes too, and ${merged.length === 1 ? 'is' : 'are'} merged.`
    yield `Bring ${code(base)} into this branch now: the conflict only grows.`
  } else if (worst) yield collisionAdvice(worst)
  else yield 'No other open pull request changes these lines.'
}

function collisionAdvice({ number, login, closeness, isOwn, isStale }: CollidingPull): string {
  const who = loginInMarkdown(login)
  if (isOwn) return `#${number} has the same author: merge one first, then bring it into the other.`
  if (isStale) return `#${number} had no push for long: ask ${who} whether it is still alive before you wait for it.`
  if (closeness === 'same lines')
    return `Agree with ${who} on which of the two is merged first: git can't merge both, and the second one resolves the conflict.`
  if (closeness === 'close')
    return `Tell ${who} what you change: the two are so close that a further edit makes them a conflict.`
  return `Nothing to do now. #${number} changes a file that is changed here; which lines is not known.`
}

/** What the table does not show, and why. */
function leftOut(facts: ReportFacts, hidden: number): string[] {
  if (facts.notCompared !== null) return []
  const { nearbyCount, unread, ignoredFiles } = facts
  const lines = [
    ...(hidden > 0 ? [`${count(hidden, 'more open pull request')} ${hidden === 1 ? 'collides' : 'collide'}.`] : []),
    ...(nearbyCount > 0
      ? [
          `${count(nearbyCount, 'open pull request')} ${nearbyCount === 1 ? 'changes' : 'change'} the same files farther away, or ${nearbyCount === 1 ? 'is' : 'are'} by an ignored author.`,
        ]
      : []),
    ...(ignoredFiles > 0
      ? [`${count(ignoredFiles, 'changed file')} here ${ignoredFiles === 1 ? 'is' : 'are'} ignored, as lock files are.`]
      : []),
    ...(unread > 0 ? [`The files of ${count(unread, 'open pull request')} are not read yet.`] : []),
    'Work without a pull request is not compared here.',
  ]
  return [`Left out: ${lines.join(' ')}`]
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
