import { expect, it } from 'vitest'
import { workOf } from '../../src/core/overlap/work.ts'
import { compareAll } from '../../src/service/overlap/compare-all.ts'
import type { Facts } from '../../src/service/overlap/facts.ts'

it('§11 others go first while pairs are looked for, however many paths the areas have', async () => {
  const labels = Array.from({ length: 50 }, (_, index) => `area-${index}`)
  const globs = (label: string) => Array.from({ length: 20 }, (_, index) => `**/${label}*/x${index}*/**`)
  const rules = { areaPaths: new Map(labels.map((label) => [label, globs(label)])), isIgnored: () => false }
  const declared = { base_branch: null, paths: [], issues: [], head: null, commits: [] }
  const works = Array.from({ length: 10 }, (_, index) => {
    const files = Array.from({ length: 50 }, (_, at) => ({
      ...{ path: `src/${index}/deep/${at}/a.ts`, status: 'modified' as const, lines: [], has_lines: true },
      toldBy: 'github' as const,
    }))
    const work = workOf({ ...declared, areas: index === 0 ? labels : [] }, files, rules)
    // All are one work, so that none is compared.
    const party = { number: 1, login: null, pull: null, commits: [], branch: null, base_branch: null }
    const who = { ...party, id: `act_${index}`, isStranger: false, isIncomplete: false, began_at: new Date(0) }
    return { ...who, work } as unknown as Facts
  })
  let turns = 0
  let isDone = false
  const others = () => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  await compareAll(works, rules, 'main')
  isDone = true
  expect(turns).toBeGreaterThan(5)
})
