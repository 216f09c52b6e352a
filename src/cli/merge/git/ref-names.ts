import { objectId } from '../../../core/changes/object-id.ts'

/** The characters that no ref of git contains: those of revisions and patterns, space and the backslash. */
const forbidden = /[ ~^:?*[\\\p{Cc}]|\.\.|@\{/u

/** Whether `refs/heads/NAME` is a ref by git's rules (git-check-ref-format). One bad name fails a whole fetch. */
export function isBranchName(name: string): boolean {
  // git allows the control characters of Latin-1, which no branch needs.
  if (!name.isWellFormed() || forbidden.test(name) || name.endsWith('.')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Whether it is the id of a commit, in a repository with SHA-1 or SHA-256. */
export function isCommitId(text: string): boolean {
  return objectId.test(text)
}
