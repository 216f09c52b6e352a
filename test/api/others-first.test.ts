import { expect, it } from 'vitest'
import { ignoredFiles } from '../../src/core/changes/ignored.ts'
import { workOf } from '../../src/core/overlap/work.ts'
import { compareAll } from '../../src/service/overlap/compare-all.ts'
import { type Candidate, type Facts, factsOfEach } from '../../src/service/overlap/facts.ts'

/** How often others had a turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const others = () => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  await work()
  isDone = true
  return turns
}

/** Each is slow to compare with a path. */
const slowGlobs = (name: string) => Array.from({ length: 20 }, (_, index) => `**/${name}*/x${index}*/**`)
const labels = Array.from({ length: 50 }, (_, index) => `area-${index}`)
const works = Array.from({ length: 10 }, (_, index) => ({ id: `act_${index}`, index }))
const paths = (index: number) => Array.from({ length: 50 }, (_, at) => `src/${index}/deep/${at}/a.ts`)
const unchanged = { status: 'modified' as const, lines: [], has_lines: true }

it('§11 others go first while pairs are looked for, however many paths the areas have', async () => {
  const rules = { areaPaths: new Map(labels.map((label) => [label, slowGlobs(label)])), isIgnored: () => false }
  const declared = { base_branch: null, paths: [], issues: [], head: null, commits: [] }
  const facts = works.map(({ id, index }) => {
    const files = paths(index).map((path) => ({ path, ...unchanged, toldBy: 'github' as const }))
    const work = workOf({ ...declared, areas: index === 0 ? labels : [] }, files, rules)
    // All are one work, so that none is compared.
    const party = { number: 1, login: null, pull: null, commits: [], branch: null, base_branch: null }
    return { ...party, id, isStranger: false, isIncomplete: false, began_at: new Date(0), work } as unknown as Facts
  })
  expect(await turnsDuring(() => compareAll(facts, rules, 'main'))).toBeGreaterThan(5)
})

it('§5 others go first while ignored files are left out, however many paths are ignored', async () => {
  const rules = { areaPaths: new Map(), isIgnored: ignoredFiles(labels.flatMap(slowGlobs)) }
  const candidates = works.map(({ id }) => {
    const row = { id, areas: [], paths: [], issues: [], commits: [], pull: null, changes_by: 'client' }
    return { row, covered: null } as unknown as Candidate
  })
  const files = works.map(({ id, index }) => {
    return [id, paths(index).map((path) => ({ activity_id: id, path, ...unchanged }))] as const
  })
  expect(await turnsDuring(() => factsOfEach(candidates, new Map(files), rules))).toBeGreaterThan(5)
})
