import { issueList } from '../../core/texts/issue-list.ts'
import { type Json, numberList, textField } from '../client/json.ts'

/** `issue #42, from the branch’s name`; empty without issues. */
export function describeIssues(from: Json | { issues: number[]; issues_from?: 'branch' }): string {
  const issues = numberList(from, 'issues')
  if (issues.length === 0) return ''
  const origin = textField(from, 'issues_from') === 'branch' ? ', from the branch’s name' : ''
  return `${issueList(issues, issues.length)}${origin}`
}
