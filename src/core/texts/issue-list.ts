import { mostDescribed } from './described.ts'
import { joinFirst } from './quote.ts'

/** `issue #42`, or `issues #42 and #43`. */
export function issueList(issues: readonly number[]): string {
  return `${issues.length === 1 ? 'issue' : 'issues'} ${issueNumbers(issues)}`
}

/** `#42`, or `#42 and #43`. */
export function issueNumbers(issues: readonly number[]): string {
  return joinFirst(
    issues.map((number) => `#${number}`),
    mostDescribed,
  )
}
