/** Authors with such an association to the repository are trusted to write text that a model reads. */
const trusted: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR']

/**
 * Whether the author is outside of the project, so that no text may contain their own wording
 * (docs/rules.md#strangers-words). Recorded work and a pushed branch are of somebody who may write in the repository.
 */
export function isStranger({ source, pull }: { source: string; pull: { association: string } | null }): boolean {
  return source === 'pull_request' && (pull === null || !trusted.includes(pull.association))
}
