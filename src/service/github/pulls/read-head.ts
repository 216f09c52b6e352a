import type { Octokit } from '@octokit/rest'
import { changeOfGithubFile } from '../../../core/changes/github-file.ts'
import { withinLimits } from '../../../core/changes/limits.ts'
import type { ReadHead } from '../../observed/save-files.ts'
import { storedFiles } from '../../records/changes.ts'

export interface At {
  owner: string
  repo: string
}

/** GitHub lists no more files and no more commits of a pull request. */
const most = { files: 3_000, commits: 250 }

/** An answer that is no list is an error, never an empty list. */
export function listOf<Item>({ data }: { data: Item[] }): Item[] {
  if (!Array.isArray(data)) throw new Error('GitHub answered with something that is no list')
  return data
}

/**
 * Reads files and commits of a head. The commits are read last: they show that the files are of this head. Null where it has moved
 * on meanwhile.
 */
export async function readHead(
  octokit: Pick<Octokit, 'paginate' | 'rest'>,
  at: At,
  { number, head_sha, base_branch }: { number: number; head_sha: string; base_branch: string },
): Promise<ReadHead | null> {
  const { pulls } = octokit.rest
  const asked = { ...at, pull_number: number }
  const files = await octokit.paginate(pulls.listFiles, { ...asked, per_page: 100 }, listOf)
  const commits = await octokit.paginate(pulls.listCommits, { ...asked, per_page: 100 }, listOf)
  const last = commits.at(-1)
  let filesTotal = files.length
  if (commits.length >= most.commits || files.length >= most.files) {
    const { data } = await pulls.get(asked)
    if (data.head.sha !== head_sha) return null
    filesTotal = Math.max(data.changed_files, files.length)
  } else if (last?.sha !== head_sha) return null
  const date = last?.sha === head_sha ? last.commit.committer?.date : undefined
  return {
    ...{ number, headSha: head_sha, baseBranch: base_branch, filesTotal },
    files: storedFiles({ files: withinLimits(files.map(changeOfGithubFile)) }),
    commits: commits.map(({ sha }) => sha),
    committedAt: date === undefined ? null : new Date(date),
  }
}
