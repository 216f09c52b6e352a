import { describe, expect, it } from 'vitest'
import { branchesOf, mergesOf } from '../../../../src/github/recovery/reconcile-rules.ts'

const since = new Date('2026-11-20T09:00:00Z')
const of = { repositoryId: 7n, defaultBranch: 'main', since }

function listed(changes: object = {}, base: object = {}) {
  const repo = { id: 7, full_name: 'acme/web' }
  const at = '2026-11-20T09:00:00Z'
  const head = { ref: 'feat', sha: 'a'.repeat(40), repo }
  return {
    number: 1,
    state: 'closed',
    created_at: at,
    updated_at: at,
    merged_at: at,
    head,
    base: { ref: 'main', repo, ...base },
    ...changes,
  }
}

describe('a page of pull requests', () => {
  it('gives the pull requests that were merged since', () => {
    const merges = [{ number: 1, head: 'feat', base: 'main', defaultBranch: 'main', repositoryId: 7n, mergedAt: since }]
    expect(mergesOf([listed()], of)).toEqual({ merges, complete: false })
    expect(mergesOf([listed({ merged_at: null })], of)).toEqual({ merges: [], complete: false })
    expect(mergesOf([listed({ merged: false })], of).merges).toEqual([])
    expect(mergesOf([listed({ updated_at: '2026-11-20T08:59:59Z' })], of)).toEqual({ merges: [], complete: true })
  })

  it('gives none of another repository', () => {
    const repo = { id: 8, full_name: 'acme/web' }
    expect(mergesOf([listed({ head: { ref: 'feat', sha: 'a'.repeat(40), repo } }, { repo })], of).merges).toEqual([])
  })

  it('gives no head branch for a fork’s pull request', () => {
    const head = { ref: 'feat', sha: 'a'.repeat(40), repo: { id: 8, full_name: 'forker/web' } }
    expect(mergesOf([listed({ head })], of).merges).toMatchObject([{ head: null }])
  })
})

describe('a list of refs', () => {
  it('gives only the branches', () => {
    const refs = ['refs/heads/feat/x', 'refs/tags/feat', 'refs/heads/main']
    expect(branchesOf(refs.map((ref) => ({ ref })))).toEqual(['feat/x', 'main'])
  })
})
