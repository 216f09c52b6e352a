import { plainLines } from './plain-text.ts'

const id = '(?:act|ntb)_[0-9a-z]{26}'
const ids = `${id}(?:(?:, | and |, and )${id})*`

/** What is removed from our own words. Text in quotation marks is other people's and stays. */
const removed: readonly [RegExp, string][] = [
  [new RegExp(` \\(${ids}\\)`, 'g'), ''],
  [new RegExp(`, ${id}\\)`, 'g'), ')'],
  // The severity is the only measure for people (docs/words.md). `blocking` is a warning beside it.
  [/ \((low|medium|high) severity(?:, [a-z ]+)*, marked as blocking(?:, [a-z ]+)*\)/g, ' ($1 severity, blocking)'],
  [/ \((low|medium|high) severity(?!, blocking\))(?:, [a-z ]+)+\)/g, ' ($1 severity)'],
  [new RegExp(`: ${id} \\((?:own|stacked)\\).*$`, 'g'), '.'],
  [new RegExp(`^(Your activity) ${id}`, 'g'), '$1'],
  [new RegExp(`(stacked with) ${ids}`, 'g'), '$1 other work'],
  [/ in related_activity_ids and related_notable_ids\.$/g, ' with --json.'],
  [/ in repository_notable_ids\.$/g, ' with --json.'],
]

/** Lines that are useless without their ids. The other lines contain the same facts. */
const pointless = new RegExp(`^(?:See also|Work in the same place was merged lately:) ${ids}\\.$`)

/** The lines of a text of the service for a person: without ids, and with severity as the only measure. */
export function linesForPeople(text: string): string[] {
  return plainLines(text).flatMap((line) => (pointless.test(line) ? [] : [forPeople(line)]))
}

function forPeople(line: string): string {
  const parts = line.split(/(“[^”]*”)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutRemoved(part))).join('')
}

function withoutRemoved(text: string): string {
  return removed.reduce((from, [pattern, by]) => from.replace(pattern, by), text)
}
