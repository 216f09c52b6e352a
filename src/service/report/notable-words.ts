import { joinWords } from '../../core/texts/join-words.ts'
import { quoted } from '../../core/texts/quote.ts'
import { code, codePath, loginInMarkdown } from './markdown.ts'
import type { NotableWords, ReportNotable } from './report-notables.ts'

const mostNotables = 10
const mostAreas = 3

/** The grave notables as the beginning of a title. Null if there is none. */
export function titleOfNotables(notables: readonly ReportNotable[]): string | null {
  const [first, ...others] = notables.filter(({ isGrave }) => isGrave)
  if (first === undefined) return null
  const name = first.words === null ? 'A notable about security' : quoted(first.words.title)
  return `${name} until ${minuteOf(first.until)}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** What to know before the merge, in Markdown. */
export function notablesSection(notables: readonly ReportNotable[]): string[] {
  if (notables.length === 0) return []
  const more = notables.length - mostNotables
  const lines = [...notables.slice(0, mostNotables).map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])]
  return ['**Know before you merge**', lines.map((line) => `- ${line}`).join('\n')]
}

function lineOf({ category, importance, blocking, until, words }: ReportNotable): string {
  const weight = [`of ${importance} importance`, ...(blocking ? ['blocking'] : [])].join(', ')
  const end = `until ${minuteOf(until)}`
  if (words === null) return `A notable about security (${weight}), ${end}. Its title and place are not told in public.`
  const by = words.raisedBy === null ? '' : `, raised by ${loginInMarkdown(words.raisedBy)}`
  return `${code(words.title)} (${category}, ${weight}), ${end}: about ${placeOf(words)}${by}`
}

function placeOf({ about }: NotableWords): string {
  if (about === 'repository') return 'the whole repository'
  if (about.path !== undefined) return codePath(about.path)
  const areas = about.areas.slice(0, mostAreas).map(code)
  return areas.length === 0 ? 'a new file' : `the ${areas.length === 1 ? 'area' : 'areas'} ${joinWords(areas)}`
}

/** A date and time to the minute: check runs are read later, and elsewhere. */
export function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
