import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import { codingAgent } from '../../../src/service/observed/coding-agents.ts'
import {
  changedColumns,
  factColumns,
  fileColumns,
  heartbeatAfterPush,
} from '../../../src/service/observed/observed-columns.ts'
import { activityRow } from '../../support/activity-row.ts'
import { pullRequestFacts } from '../../support/pull-request-facts.ts'

const repository = { id: 1n, owner: 'acme', name: 'app', defaultBranch: 'main', serverUrl: 'https://github.com' }
const columnsOf = (changes: Parameters<typeof pullRequestFacts>[0]) =>
  factColumns(repository, pullRequestFacts(changes), [42])
const file = (path: string): FileChange => ({ path, previous_path: null, status: 'modified', lines: null })

describe('the record of an open pull request', () => {
  it('says what GitHub says of it', () => {
    expect(columnsOf({})).toEqual({
      title: 'Rework the login',
      issues: [42],
      actor: 'alice',
      agent: null,
      status: 'ready-for-review',
      draft_pr: false,
      branch: 'login',
      base_branch: 'main',
      pr_url: 'https://github.com/acme/app/pull/12',
      pr_repository_id: 1n,
      pr_number: 12,
      author_login: 'alice',
      author_id: 7n,
      opened_at: new Date('2026-11-18T08:00:00Z'),
    })
  })

  it('is a draft where the pull request is one', () => {
    expect(columnsOf({ draft: true })).toMatchObject({ status: 'draft-pr-open', draft_pr: true })
  })

  it('names the owner of a fork before the branch, also of a deleted fork', () => {
    const fork = { headRepositoryId: 2n, headOwner: 'bob' }
    expect(columnsOf(fork).branch).toBe('bob:login')
    expect(columnsOf({ ...fork, headRepositoryId: null }).branch).toBe('bob:login')
    expect(columnsOf({ headRepositoryId: null, headOwner: null }).branch).toBe('unknown:login')
  })

  it('keeps the longest branch of the longest owner within 300 characters', () => {
    const branch = columnsOf({ headRepositoryId: 2n, headOwner: 'b'.repeat(39), headRef: 'x'.repeat(255) }).branch
    expect(branch).toHaveLength(295)
  })

  it('cuts the title after 200 characters, and never within one', () => {
    expect(columnsOf({ title: '🙂'.repeat(250) }).title).toBe('🙂'.repeat(200))
  })

  it('has a title on one line, and one of our own where the title is blank', () => {
    expect(columnsOf({ title: ' a\nb\u0000c ' }).title).toBe('a b c')
    expect(columnsOf({ title: ' \t' }).title).toBe('Pull request #12')
  })

  it('names the account of deleted authors', () => {
    expect(columnsOf({ author: null })).toMatchObject({ actor: 'ghost', author_login: null, author_id: null })
  })

  it('names a coding agent as its agent, with and without [bot], in any case', () => {
    for (const login of [
      'Copilot',
      'copilot-swe-agent[bot]',
      'devin-ai-integration[bot]',
      'claude[bot]',
      'codex',
      'cursor',
    ])
      expect(codingAgent(login)).toBe(login)
    for (const login of ['alice', 'dependabot[bot]', 'claudette', 'constructor']) expect(codingAgent(login)).toBeNull()
  })
})

describe('the files of an observed record', () => {
  it('are its summary and its scope', () => {
    expect(fileColumns(12, [file('src/[id].ts'), file('a b')], 2)).toEqual({
      summary: 'Pull request #12: 2 files',
      paths: ['a b', 'src/\\[id\\].ts'],
    })
    expect(fileColumns(12, [file('a')], 1).summary).toBe('Pull request #12: 1 file')
    expect(fileColumns(12, [], 0).summary).toBe('Pull request #12: 0 files')
  })

  it('are not counted before they are read', () => {
    expect(fileColumns(12, [], null)).toEqual({ summary: 'Pull request #12', paths: [] })
  })

  it('are folded into directories beyond 100 paths', () => {
    const files = Array.from({ length: 3_000 }, (_, n) => file(`src/room-${n % 30}/file-${n}.ts`))
    const { summary, paths } = fileColumns(12, files, files.length)
    expect(summary).toBe('Pull request #12: 3,000 files')
    expect(paths.length).toBeLessThanOrEqual(100)
    expect(paths).toContain('src/room-7/**')
  })
})

describe('what a caller has set', () => {
  const columns = { title: 'From GitHub', summary: 'From GitHub', paths: ['src/a.ts'], actor: 'alice' }
  const changed = (edited_fields: string[]) =>
    Object.keys(changedColumns({ ...activityRow(new Date(0)), edited_fields }, columns))

  it('is not overwritten', () => {
    expect(changed([])).toEqual(['title', 'summary', 'paths', 'actor'])
    expect(changed(['title', 'scope'])).toEqual(['summary', 'actor'])
  })

  it('changes nothing where GitHub says the same again', () => {
    const row = { ...activityRow(new Date(0)), author_id: 7n, opened_at: new Date(5) }
    expect(changedColumns(row, { title: row.title, author_id: 7n, opened_at: new Date(5) })).toEqual({})
  })
})

describe('the heartbeat', () => {
  const [first, second, third] = [new Date(1_000), new Date(2_000), new Date(3_000)]

  it('is the last push, also where that turns out to be earlier', () => {
    expect(heartbeatAfterPush(null, first, second)).toEqual(second)
    expect(heartbeatAfterPush(second, second, first)).toEqual(first)
  })

  it('stays that of a caller, if it is later', () => {
    expect(heartbeatAfterPush(third, first, second)).toEqual(third)
    expect(heartbeatAfterPush(second, first, third)).toEqual(third)
  })
})
