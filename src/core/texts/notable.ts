import { untilDay } from '../notable.ts'
import type { Comparison } from '../overlap/comparison.ts'
import type { MatchingNotable, NotableFacts } from '../overlap/notables.ts'
import { quoted, quotedPath } from './quote.ts'
import { joined } from './words.ts'

export interface DescribedNotable extends NotableFacts {
  title: string
  author_login: string | null
  applies_until: Date | null
  expires_at: Date
}

export function notableLine({ notable, comparison, severity }: MatchingNotable<DescribedNotable>): string {
  const { title, author_login, blocking } = notable
  const by = author_login === null ? '' : ` (raised by ${quoted(author_login)})`
  const weight = `${severity} severity${blocking ? ', blocking' : ''}`
  return `The notable ${quoted(title)}${by} is about ${aboutOf(notable, comparison)} until ${untilDay(notable)} (${weight}).`
}

function aboutOf({ work }: NotableFacts, comparison: Comparison | null): string {
  if (work === null || comparison === null) return 'the whole repository'
  const { examplePath, areas } = comparison
  return examplePath === null ? `the area ${joined(areas.map(quoted))}` : `files such as ${quotedPath(examplePath)}`
}
