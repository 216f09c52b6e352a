import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'
import { readRepositoryName } from '../git/remote-url.ts'
import { plain } from '../output/plain-text.ts'
import { type Json, record, textField } from './json.ts'

/** What a check finds in the repository that this one is a fork of. */
export interface ParentOverlap {
  /** `owner/name` */
  repository: string
  overlap: Json
}

/**
 * Checks the same proposal in the parent that the response of a check names: in a fork without pull requests they are all
 * there. Undefined where there is no parent, or the token may not see it.
 */
export async function checkParent(
  { apiOf, terminal }: Pick<CommandContext, 'apiOf' | 'terminal'>,
  overlap: Json,
  body: object,
): Promise<ParentOverlap | undefined> {
  const parent = readRepositoryName(textField(record(overlap, 'observed'), 'parent') ?? '')
  if (!parent) return undefined
  const repository = `${parent.owner}/${parent.name}`
  try {
    return { repository, overlap: await apiOf(parent).call('POST', '/activity/check', body) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isInvisible = error.status === 403 || error.status === 404
    if (!isInvisible) terminal.err(`Note: ${repository} could not be checked: ${plain(error.message)}`)
    return undefined
  }
}

/** The heading of what was found there. */
export function parentHeading({ repository }: ParentOverlap): string {
  return `In ${repository}, which this repository is a fork of:`
}

/** The answer of the check, and that of the parent. */
export function answersOf(overlap: Json, parent: ParentOverlap | undefined): Json[] {
  return parent ? [overlap, parent.overlap] : [overlap]
}

/** Whether one of the two has an overlap. */
export function isOverlap(overlap: Json, parent: ParentOverlap | undefined): boolean {
  return overlap.overlap_detected === true || parent?.overlap.overlap_detected === true
}
