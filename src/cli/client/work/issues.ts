import { type Args, type Options, wholeNumber } from '../../args.ts'
import type { CommandContext } from '../../command-context.ts'
import { issueFromBranch, largestIssue } from '../../git/issue-from-branch.ts'
import { describeIssues } from '../../output/describe-issues.ts'
import type { SavedWork } from './work-state-file.ts'

export const issueOptions = {
  issue: {
    type: 'string',
    multiple: true,
    value: 'NUMBER',
    help: "An issue that the work closes; --no-issue: none. May be repeated. Default: that of the branch's name.",
  },
  'no-issue': { type: 'boolean', help: '' },
} as const satisfies Options

/** The issues of a request (docs/rules.md#issues-of-the-command-line). */
export interface IssueFields {
  issues: number[]
  issues_from?: 'branch'
}

/** The issues that the flags name; undefined without such a flag. */
export function issuesOfFlags(args: Args): IssueFields | undefined {
  const given = args.texts('issue').map((text) => wholeNumber(text.replace(/^#/, ''), 'issue', 1, largestIssue))
  return given.length > 0 || args.flag('issue') === false ? { issues: given } : undefined
}

/** The issues of new work, and of a proposal without a record: those of the flags, else those of the branch's name. */
export function issuesOfProposal({ args, branch }: Pick<CommandContext, 'args' | 'branch'>): IssueFields | undefined {
  const named = issuesOfFlags(args)
  const issue = named || branch === null ? null : issueFromBranch(branch)
  return issue === null ? named : { issues: [issue], issues_from: 'branch' }
}

/** The issues of a check in the parent of a fork, where nothing is recorded: those that were named when the work began. */
export function issuesForParent(
  context: Pick<CommandContext, 'args' | 'branch'>,
  work: SavedWork | undefined,
): IssueFields | undefined {
  return issuesOfFlags(context.args) ?? (work?.issues ? { issues: work.issues } : issuesOfProposal(context))
}

/** Says which issue a check takes from the name of the branch. */
export function tellIssueOfBranch(
  { terminal }: Pick<CommandContext, 'terminal'>,
  fields: IssueFields | undefined,
): void {
  if (fields?.issues_from === 'branch') terminal.err(`Note: ${describeIssues(fields)}. --no-issue says otherwise.`)
}
