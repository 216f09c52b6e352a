import { expect, it } from 'vitest'
import type { CachedActivity } from '../../../../src/core/rules/candidates/rows.ts'
import { comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { sizeOf } from '../../../../src/service/overlap/candidates/activity-cache.sql.ts'
import { heapUsed, nameOf } from '../../scope/heap.ts'

const columns = {
  ...{ branch: 'login', base_branch: 'main', pr_url: null, agent: null, areas: [], paths: [], source: 'recorded' },
  ...{
    is_declared: true,
    author_login: null,
    author_id: null,
    pr_number: null,
    pull: null,
    changed: null,
    client: null,
  },
}

/** An activity as PostgreSQL returns it: it shares no text with others. */
function activity(n: number, { files, ...fields }: { files?: unknown[] }): CachedActivity {
  const shared = { id: `act_${n}`, title: `Work ${n}`, actor: 'Ada', status: 'active', risk: 'low', blocking: false }
  const row = JSON.parse(JSON.stringify({ ...shared, ...columns, ended_at: null, ...fields, files }))
  if (files === undefined) return row
  const work = { baseBranch: 'main', author: 'ada', headSha: `${n}`, commits: new Set<string>() }
  return { ...row, changed: comparableWork({ ...work, files: row.files, filesTotal: files.length }) }
}

const kinds: Record<string, (n: number) => object> = {
  usual: (n) => ({ paths: Array.from({ length: 5 }, (_, at) => `packages/server/src/${nameOf(n * 5 + at, 8)}.ts`) }),
  'paths of many short directories': (n) => ({
    paths: Array.from({ length: 100 }, (_, at) => `${'a/'.repeat(14)}${nameOf(n * 100 + at, 4)}`),
  }),
  'long paths of characters of two bytes': (n) => ({
    paths: Array.from({ length: 100 }, (_, at) => `${'\u4e00'.repeat(500)}${nameOf(n * 100 + at, 4)}`),
  }),
  'names alone, and long ones': (n) => {
    const name = `${'\u4e00'.repeat(250)}${n}`
    return { title: name, actor: name, agent: name, branch: name, base_branch: name, pr_url: name }
  },
  'changed files': (n) => ({
    files: Array.from({ length: 100 }, (_, at) => {
      const path = `packages/server/src/${nameOf(n * 100 + at, 8)}.ts`
      return { path, previous_path: null, status: 'modified', lines: [[n % 900, 1000 + at]] }
    }),
  }),
  'changed files with many ranges': (n) => ({
    files: Array.from({ length: 5 }, (_, at) => {
      const lines = Array.from({ length: 100 }, (_, m) => [10 * m + 1, 10 * m + 5])
      return { path: nameOf(n * 100 + at, 20), previous_path: null, status: 'modified', lines }
    }),
  }),
  'many areas': (n) => ({ areas: Array.from({ length: 50 }, (_, at) => nameOf(n * 50 + at, 5).padEnd(90, 'a')) }),
}

it.each(Object.entries(kinds))('the estimated size of a cached activity is at least what it takes: %s', (_, fields) => {
  const made = Array.from({ length: 20 }, (_, n) => activity(n, fields(n)))
  const before = heapUsed()
  // Much more than what the tests before this one may free meanwhile.
  let estimate = 0
  for (let n = 1_000; estimate < 25_000_000; n++) {
    const one = activity(n, fields(n))
    made.push(one)
    estimate += sizeOf(one)
  }
  const taken = heapUsed() - before
  expect(made.length).toBeGreaterThan(20)
  expect(estimate).toBeGreaterThan(0.9 * taken)
  expect(estimate).toBeLessThan(2.5 * taken)
})
