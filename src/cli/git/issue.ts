const largestIssue = 2 ** 31 - 1

const named = /^(?:issue|gh)-([1-9]\d*)(?:$|-)|^([1-9]\d*)-\p{L}/iu
/** `issues/42` */
const asDirectory = /(?:^|\/)issues\/([1-9]\d*)$/i

/** The number of the issue that the last segment of a branch names: `issue-42`, `gh-42`, `issues/42`, `42-text`. */
export function issueOfBranch(branch: string): number | undefined {
  const segment = branch.slice(branch.lastIndexOf('/') + 1)
  const [, word, leading] = named.exec(segment) ?? []
  const number = Number(word ?? leading ?? asDirectory.exec(branch)?.[1] ?? Number.NaN)
  return number <= largestIssue ? number : undefined
}
