import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relationshipTo } from '../../../src/core/rules/relationship/relationship.ts'

const branch = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'main'))
const branches = fc.record({ branch, base_branch: branch })
const works = fc.array(branches, { maxLength: 12 }).map((list) => list.map((work, n) => ({ ...work, id: String(n) })))
type Work = { id: string; branch: string | null; base_branch: string | null }
type Branches = Omit<Work, 'id'>

/** The rule of docs/rules.md#stacked-branches word by word. It tries every chain, which is slow, and shares nothing with the code under test. */
function byRule(proposal: Branches, live: readonly Work[]): Map<string, string> {
  const links = (name: string | null) => name !== null && name !== 'main'
  const ancestorsOf = (work: Branches, seen: readonly Work[] = []): Work[] =>
    !links(work.base_branch)
      ? []
      : live
          .filter((other) => other.branch === work.base_branch && !seen.includes(other))
          .flatMap((other) => [other, ...ancestorsOf(other, [...seen, other])])
  const found = new Map<string, string>()
  const ancestors = ancestorsOf(proposal)
  for (const work of live) {
    const reaches = [work, ...ancestorsOf(work)].some(
      ({ base_branch }) => links(base_branch) && base_branch === proposal.branch,
    )
    if (links(work.branch) && work.branch === proposal.branch) found.set(work.id, 'own')
    else if (ancestors.includes(work) || reaches) found.set(work.id, 'stacked')
  }
  return found
}

function expectedActivities(proposal: Branches, live: readonly Work[], defaultBranch: string) {
  const relationshipOf = relationshipTo(proposal, live, defaultBranch)
  return new Map(
    live.flatMap((work) => {
      const relationship = relationshipOf(work)
      return relationship ? [[work.id, relationship] as const] : []
    }),
  )
}

describe('own and stacked work', () => {
  it('follows the rule in every tree, chain, fork and cycle', () => {
    fc.assert(
      fc.property(branches, works, (proposal, live) => {
        const found = [...expectedActivities(proposal, live, 'main')].sort()
        expect(found).toEqual([...byRule(proposal, live)].sort())
      }),
      { numRuns: 2000 },
    )
  })

  it('needs one activity of each pair of branches', () => {
    fc.assert(
      fc.property(branches, works, (proposal, live) => {
        const pairs = new Map(live.map((work) => [JSON.stringify([work.branch, work.base_branch]), work]))
        const [byAll, byPairs] = [live, [...pairs.values()]].map((given) => relationshipTo(proposal, given, 'main'))
        expect(live.map((work) => byPairs?.(work))).toEqual(live.map((work) => byAll?.(work)))
      }),
    )
  })

  it('follows chains of any length', () => {
    const live = Array.from({ length: 5000 }, (_, n) => ({ id: `${n}`, branch: `b${n}`, base_branch: `b${n + 1}` }))
    expect(expectedActivities({ branch: 'top', base_branch: 'b0' }, live, 'main').size).toBe(5000)
    expect(expectedActivities({ branch: 'b5000', base_branch: null }, live, 'main').size).toBe(5000)
  })

  it('ends in a cycle', () => {
    const live = [
      { id: '1', branch: 'a', base_branch: 'b' },
      { id: '2', branch: 'b', base_branch: 'a' },
      { id: '3', branch: 'c', base_branch: 'c' },
    ]
    expect([...expectedActivities({ branch: 'x', base_branch: 'a' }, live, 'main').keys()].sort()).toEqual(['1', '2'])
    expect([...expectedActivities({ branch: 'c', base_branch: 'c' }, live, 'main')]).toEqual([['3', 'own']])
  })

  it('does not include siblings: two branches on one base', () => {
    const live = [
      { id: 'base', branch: 'base', base_branch: 'main' },
      { id: 'sibling', branch: 'sibling', base_branch: 'base' },
    ]
    expect([...expectedActivities({ branch: 'mine', base_branch: 'base' }, live, 'main')]).toEqual([
      ['base', 'stacked'],
    ])
  })

  it('is linked by its base if it has no branch', () => {
    const live = [{ id: '1', branch: null, base_branch: 'feat' }]
    expect([...expectedActivities({ branch: 'feat', base_branch: null }, live, 'main')]).toEqual([['1', 'stacked']])
    const base = [{ id: '1', branch: 'feat', base_branch: null }]
    expect([...expectedActivities({ branch: null, base_branch: 'feat' }, base, 'main')]).toEqual([['1', 'stacked']])
  })
})
