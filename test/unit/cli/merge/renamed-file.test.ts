import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { afterMerges } from '../../../../src/cli/merge/answer/after-merges.ts'
import { readCandidates } from '../../../../src/cli/merge/answer/read-candidates.ts'
import type { FileChange } from '../../../../src/core/changes/file-change.ts'
import { comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { decide } from '../../../../src/core/rules/decide.ts'
import { workBudget } from '../../../../src/core/scope/match/work-budget.ts'
import { parseScope } from '../../../../src/core/scope/parse-scope.ts'
import { describe as describeDecision } from '../../../../src/service/overlap/describe.ts'
import { activityOf, candidatesOf, comparisonOf } from '../../overlap/candidates-of.ts'
import { lines, type MergeScene, prepareMergeScene, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

const changed = (path: string, line: number): FileChange => ({
  ...{ path, previous_path: null, status: 'modified', lines: [[line, line]] },
})
const renamed = (previous_path: string, path: string, ranges: [number, number][]): FileChange => ({
  ...{ path, previous_path, status: 'renamed', lines: ranges },
})
/** What the pull request 7 of `pullCommits` changes. */
const theirRename = renamed('renamed.txt', 'renamed-theirs.txt', [[5, 5]])

it.each<{
  what: string
  ours: FileChange
  work: (clone: TestClone) => void
  theirs: { number: number; file: FileChange }
  line: string
  after: object
}>([
  {
    what: 'they rename it, and you change other lines',
    ours: changed('renamed.txt', 15),
    work: (clone) => clone.write('renamed.txt', lines({ 15: 'mine' })),
    theirs: { number: 7, file: theirRename },
    line: 'renaming “renamed.txt”, which you change, and changing line 5 of it (high severity)',
    after: { severity: 'low', clear: true, collisions: [{ merge: 'clean', severity_by_lines: 'high' }] },
  },
  {
    what: 'they rename it, and you change the same line',
    ours: changed('renamed.txt', 5),
    work: (clone) => clone.write('renamed.txt', lines({ 5: 'mine' })),
    theirs: { number: 7, file: theirRename },
    line: 'renaming “renamed.txt”, which you change, and changing line 5 of it (high severity)',
    after: { severity: 'high', clear: false, collisions: [{ merge: 'conflicts', severity_by_lines: 'high' }] },
  },
  {
    what: 'you rename it, and they change it',
    ours: renamed('a.txt', 'mine.txt', []),
    work: ({ top }) => renameSync(join(top, 'a.txt'), join(top, 'mine.txt')),
    theirs: { number: 2, file: changed('a.txt', 15) },
    line: 'changing line 15 of “a.txt”, which you rename (high severity)',
    after: { severity: 'low', clear: true, collisions: [{ merge: 'clean', severity_by_lines: 'high' }] },
  },
])('a renamed file is high by lines, and a tried merge decides: $what', async ({ ours, work, theirs, line, after }) => {
  const { number, file } = theirs
  const commits = { baseBranch: 'main', commits: new Set<string>() }
  const headSha = scene.server.commitOf(`refs/pull/${number}/head`)
  const pullRequest = activityOf({
    ...{ source: 'pull_request', is_declared: false, actor: 'bob', author_login: 'bob', author_id: 2n },
    ...{ branch: 'work', base_branch: 'main', pr_number: number },
    changed: comparableWork({ ...commits, headSha, author: 'bob', files: [file], filesTotal: 1 }),
    pull: { number, is_fork: false, head_ref: 'work', head_sha: headSha, association: 'MEMBER' },
  })
  const proposed = parseScope({ areas: [], paths: [ours.path] })
  const comparison = comparisonOf({
    ...{ proposed, counted: proposed, work: workBudget(), author: 'alice' },
    changed: comparableWork({ ...commits, headSha: null, author: 'alice', files: [ours], filesTotal: 1 }),
  })
  const proposal = { branch: 'mine', base_branch: 'main' }
  const found = candidatesOf({
    ...{ candidates: [pullRequest], triesMerges: true },
    observed: { pull_requests: 'current', as_of: null, unread: 0 },
  })
  const decision = await decide(proposal, found, comparison)
  const answer = { ...(await describeDecision(proposal, { ...found, decision }, comparison)) }
  expect(answer).toMatchObject({ severity: 'high', reason: expect.stringContaining(line) })

  const clone = scene.clone()
  work(clone)
  const changedPaths = new Set([ours.path, ours.previous_path ?? ours.path])
  const candidates = readCandidates(answer).map(({ candidate }) => candidate)
  const merges = await clone.tryAll(candidates, undefined, { changedPaths })
  expect(afterMerges(answer, merges, 'Tried now').overlap).toMatchObject(after)
})
