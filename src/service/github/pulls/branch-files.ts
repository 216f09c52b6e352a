import { z } from 'zod'
import { githubFileChange } from '../../../core/changes/github-file.ts'
import type { Database } from '../../db/database.ts'
import { type ComparedBranch, mostCommitsAhead } from '../../observed/branches/pushed-branch.ts'
import { lockUnreadBranch, saveComparedBranch, type UnreadHead } from '../../observed/branches/save-branch.ts'
import { isObservedBranch } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { readCurrentRepository } from './current-repository.ts'
import { PullRequestFile, sha } from './pull-request-payload.ts'
import { readBody, routeParameters, type SendRequest, UnusableResponse } from './read-response.ts'

/** What comparing two commits shows. `ahead_by` counts all commits; the first page lists some of them, and all files. */
const CompareResponse = z.object({
  ahead_by: z.int().nonnegative(),
  commits: z.array(z.object({ sha })).max(250),
  files: z.array(PullRequestFile).max(3_000),
})

export interface BranchDeps {
  db: Database
  request: SendRequest
  repository: Repository
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches' | 'branch_ttl_ms'>
  now(): Date
}

/**
 * Reads what a pushed head changes and saves it (docs/rules.md#pushed-branches): one request, and a second one where
 * GitHub has no comparison. Sends no request if the branch is not observed. Returns whether its files were saved.
 * Throws `UnusableResponse`.
 */
export async function refreshBranch(deps: BranchDeps, head: UnreadHead): Promise<boolean> {
  const { db, repository, settings, now } = deps
  const { id, defaultBranch } = repository
  const isObserved = isObservedBranch({ branch: head.branch, defaultBranch }, settings)
  const times = () => ({ now: now(), ttlMs: settings.branch_ttl_ms })
  const row = await db.transaction((tx) => lockUnreadBranch(tx, id, head, { ...times(), isObserved }))
  if (row === undefined) return false
  const compared = await compare(deps, head)
  return db.transaction((tx) => saveComparedBranch(tx, id, compared, times()))
}

/** Compares with the merge base, as a pull request would. */
async function compare({ db, request, repository, now }: BranchDeps, head: UnreadHead): Promise<ComparedBranch> {
  const { defaultBranch: baseBranch } = repository
  const basehead = `${baseBranch}...${head.headSha}`
  const response = await request({
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { ...routeParameters(repository), basehead, per_page: mostCommitsAhead, page: 1 },
  })
  if (response.kind === 'response' && response.status === 404) {
    const visible = await readCurrentRepository(request, repository)
    if (visible.defaultBranch === baseBranch) return { ...head, baseBranch, aheadBy: null, files: [], commits: [] }
    await db.transaction((tx) => observeByApp(tx, [visible], now()))
    throw new UnusableResponse(response, 'the repository has another default branch')
  }
  const { ahead_by: aheadBy, files, commits } = readBody(response, (body) => CompareResponse.parse(body))
  return { ...head, baseBranch, aheadBy, files: files.map(githubFileChange), commits: commits.map((one) => one.sha) }
}
