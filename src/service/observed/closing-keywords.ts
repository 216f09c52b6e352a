import { proseOf } from './prose.ts'
import type { ObservedRepositoryRef } from './pull-requests/pull-request.ts'

/** How much of a body is read, in characters. GitHub takes no more than this. */
const maxLength = 65_536
const maxIssues = 20
const maxNumber = 2 ** 31 - 1

/**
 * A keyword and one reference: `#42`, `GH-42`, `OWNER/NAME#42` or a web address. A colon or a blank is between them, on one line.
 * Underscores around the keyword are emphasis.
 */
const closing =
  /(?<![\p{L}\p{N}]|[\p{L}\p{N}]_)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:[ \t]+|:[ \t]*)(?:(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})?#|GH-|<?(?<page>https?:\/\/[\w.:-]{1,255}\/[\w.-]{1,100}\/[\w.-]{1,100})\/issues\/)(?<number>[1-9]\d{0,9})(?![\p{L}\p{N}/])/giu

/**
 * The issues of its own repository that a pull request closes by its title and body, with GitHub's keywords, at most 20, sorted
 * (docs/rules.md#observed-work). As GitHub does, it reads quotes, and leaves out comments and code.
 */
export function issuesClosedBy(
  { title, body }: { title: string; body: string | null },
  repository: Pick<ObservedRepositoryRef, 'owner' | 'name' | 'serverUrl'>,
): number[] {
  const name = `${repository.owner}/${repository.name}`.toLowerCase()
  const page = `${repository.serverUrl}/${name}`.toLowerCase()
  const issues = new Set<number>()
  for (const text of [title, body ?? '']) {
    for (const { groups } of proseOf(beginningOf(text)).matchAll(closing)) {
      const isOwn = (groups?.repository ?? name).toLowerCase() === name && (groups?.page ?? page).toLowerCase() === page
      const number = Number(groups?.number)
      if (isOwn && number <= maxNumber && issues.size < maxIssues) issues.add(number)
    }
  }
  return [...issues].sort((one, other) => one - other)
}

/** What is read of a text: if it is too long, whole lines. */
function beginningOf(text: string): string {
  return text.length <= maxLength ? text : text.slice(0, text.lastIndexOf('\n', maxLength - 1) + 1)
}
