import { untilDay } from '../notable.ts'
import type { MatchingNotable, NotableFacts } from '../overlap/notables.ts'
import { quoted, quotedPath } from './quote.ts'

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
  return `The notable ${quoted(title)}${by} is about ${aboutOf(notable, comparison?.examplePath ?? null)} until ${untilDay(notable)} (${weight}).`
}

function aboutOf({ work }: NotableFacts, path: string | null): string {
  if (work === null) return 'the whole repository'
  return path === null ? 'what you named' : `files such as ${quotedPath(path)}`
}
