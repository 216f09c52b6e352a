import { mostDescribed } from '../rules/response/id-limits.ts'
import { joinFirst } from './join-words.ts'

/** `issue #42`, or `issues #42 and #43`. */
export function issueList(issues: readonly number[], most = mostDescribed): string {
  return `${issues.length === 1 ? 'issue' : 'issues'} ${issueNumbers(issues, most)}`
}

/** `#42`, or `#42 and #43`. */
export function issueNumbers(issues: readonly number[], most = mostDescribed): string {
  return joinFirst(
    issues.map((number) => `#${number}`),
    most,
  )
}
