/** The greatest number of an issue that the service takes. */
export const largestIssue = 2 ** 31 - 1

/** Such as `7-0-stable`, `18-lts`, `4.x`, `4-x` and `2026-release`: a line of versions. */
const versionLine = /(?:stable|lts|[.-]x|release)$/i
/** `issue-42` and `gh-42`, as a word of the last segment; or `issues/42` as its end. */
const named = /(?:^|[-_/])(?:(?:issue|gh)-|issues?\/)([1-9]\d*)(?=$|[-_])[^/]*$/i
/** `42-login`, as GitHub names the branch of an issue. More digits are a date. */
const leading = /^([1-9]\d{0,6})-\p{L}/u

/** The issue that the name of a branch names by its last segment (docs/rules.md#issues-of-the-command-line); null if it names none. */
export function issueFromBranch(branch: string): number | null {
  const segment = branch.slice(branch.lastIndexOf('/') + 1)
  if (versionLine.test(segment)) return null
  const number = Number((named.exec(branch) ?? leading.exec(segment))?.[1] ?? Number.NaN)
  return number <= largestIssue ? number : null
}
