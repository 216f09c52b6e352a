import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { addAccount, addPull, addRepository } from './build-data.ts'
import { changedFile } from './changed-files.ts'
import { findRepository, type GithubData, type Repository } from './data.ts'
import type { Pull } from './pull-data.ts'

const time = z.iso.datetime().transform((text) => new Date(text))
const Recorded = z.object({
  pull_requests: z.array(
    z.object({
      number: z.int(),
      author: z.int(),
      bot: z.boolean(),
      base: z.string(),
      head_sha: z.string(),
      base_conflicts: z.array(z.string()).default([]),
      first_commit_at: time,
      pushed_at: time,
      files: z.array(
        z.object({
          path: z.string(),
          previous_path: z.string().optional(),
          status: z.enum(['added', 'modified', 'removed', 'renamed']),
          ranges: z.array(z.tuple([z.int(), z.int()])).default([]),
        }),
      ),
    }),
  ),
})

/** The open pull requests of a file of `bench/open-prs`. */
export function readRecordedPulls(file: URL) {
  return Recorded.parse(JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'))).pull_requests
}

/**
 * Adds the open pull requests of a file of `bench/open-prs` to a repository, without events. Each comes from a fork of its
 * author, `author-7` or `bot-7[bot]`. The patches change the recorded lines; their text is made up.
 */
export function addRecordedPulls(data: GithubData, repository: Repository, file: URL): Pull[] {
  return readRecordedPulls(file).map(({ number, author, bot, base, head_sha, base_conflicts, files, ...times }) => {
    const login = bot ? `bot-${author}[bot]` : `author-${author}`
    return addPull(data, repository, {
      number,
      author: login,
      head: `work-${number}`,
      headRepositoryId: forkOf(data, repository, login).id,
      headOwner: login,
      headSha: head_sha,
      base,
      mergeableState: base_conflicts.length > 0 ? 'dirty' : 'clean',
      createdAt: times.first_commit_at,
      updatedAt: times.pushed_at,
      commits: [
        { sha: head_sha, message: 'Work', author: login, authoredAt: times.pushed_at, committedAt: times.pushed_at },
      ],
      files: files.map(({ path, previous_path, status, ranges }) =>
        changedFile({
          path,
          status,
          lines: ranges,
          ...(previous_path === undefined ? {} : { previousPath: previous_path }),
        }),
      ),
    })
  })
}

function forkOf(data: GithubData, { name, private: isPrivate }: Repository, login: string): Repository {
  addAccount(data, login)
  return findRepository(data, login, name) ?? addRepository(data, login, name, { private: isPrivate, fork: true })
}
