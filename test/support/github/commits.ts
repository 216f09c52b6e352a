import type { GithubData } from './data.ts'
import { newSha } from './ids.ts'
import type { Commit } from './pull-data.ts'

/** A commit of a pull request. By default it is of now, by the author of the pull request. */
export type CommitInput = Partial<Commit>

export function newCommits(data: GithubData, inputs: readonly CommitInput[], author: string | null): Commit[] {
  return inputs.map((given) => {
    const committedAt = given.committedAt ?? new Date(data.now())
    return { sha: newSha(), message: 'Work', author, authoredAt: committedAt, ...given, committedAt }
  })
}
