import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import type { ComparedActivity } from '../../../src/core/rules/candidates/rows.ts'
import { type ChangedWork, comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { compareChanges } from '../../../src/core/rules/changed/compare-changes.ts'
import type { Comparison } from '../../../src/core/rules/compare-all.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate, now } from './candidates-of.ts'

const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const file = (path: string, change: Partial<FileChange> = {}): FileChange => ({
  ...{ path, previous_path: null, status: 'modified', lines: [[1, 5]], blob: path },
  ...change,
})
const files = (count: number, of = '') => Array.from({ length: count }, (_, n) => file(`${of}${n}.ts`))
const hour = 3_600_000

function workOf(changed: readonly FileChange[], given: Partial<ChangedWork> = {}): ChangedWork {
  return {
    ...{ baseBranch: 'main', author: null, headSha: null, commits: new Set<string>(), files: changed },
    ...{ filesTotal: changed.length, ...given },
  }
}

/** An open pull request of a member. */
function pull(number: number, work: ChangedWork, given: Partial<ComparedActivity> = {}) {
  const author = given.actor ?? 'bob'
  return activityOf({
    ...{ title: 'Fix it', actor: author, author_login: author, author_id: BigInt(author.length), branch: 'fix' },
    ...{
      source: 'pull_request',
      is_declared: false,
      base_branch: 'main',
      pr_number: number,
      status: 'ready-for-review',
    },
    pull: { number, is_fork: false, head_ref: 'fix', head_sha: `sha-${number}`, association: 'MEMBER' },
    changed: comparableWork(work),
    ...given,
  })
}

const fromOutside = (number: number) => ({
  actor: 'evil0',
  pull: { number, is_fork: true, head_ref: 'fix', head_sha: `sha-${number}`, association: 'NONE' },
})
/** Our record began before or after that of the others. */
const begun = (hoursAgo: number) => ({ id: 'act_ours', began_at: new Date(now.getTime() - hoursAgo * hour) })

async function check(ours: ChangedWork, others: ComparedActivity[], given: Partial<Comparison> = {}) {
  const proposal = { branch: 'mine', base_branch: 'main' }
  const candidates = candidatesOf({ candidates: others.map((one) => ({ ...one, ended_at: null })) })
  return evaluate(proposal, candidates, comparisonOf({ changed: comparableWork(ours), ...given }))
}

async function collisionWith(ours: ChangedWork, other: ComparedActivity, given: Partial<Comparison> = {}) {
  const { collisions, reason, recommended_action } = await check(ours, [other], given)
  return { item: collisions[0], reason: reason.split('\n')[0], advice: recommended_action.split('\n')[0] }
}

describe('the same change', () => {
  it('is told to whoever makes it later, by the file that both leave alike', async () => {
    const { item, reason, advice } = await collisionWith(workOf(files(2)), pull(131, workOf(files(2))))
    expect(item).toMatchObject({ severity: 'high', same_change: true, example_path: '0.ts', lines: [[1, 5]] })
    expect(reason).toBe(
      '“bob” has pull request #131 “Fix it” on branch “fix”, opened 2 h ago, before you: this change is open already as #131, in “0.ts” and 1 more file (high severity).',
    )
    expect(advice).toBe('See whether #131 is all that is needed, and talk to “bob” before you go on.')
  })

  it('is told to whoever was first as a repetition', async () => {
    const { item, reason, advice } = await collisionWith(workOf(files(1)), pull(140, workOf(files(1))), {
      own: begun(3),
    })
    expect(item).toMatchObject({ severity: 'high', same_change: true })
    expect(reason).toContain('after you: #140 repeats your change, in “0.ts” (high severity).')
    expect(advice).toBe('Tell “bob” that #140 repeats your change.')
  })

  it('is a part of the change of whoever changes more than twice as many files: `low`', async () => {
    const [large, small] = [workOf(files(30)), workOf(files(1))]
    const part = await collisionWith(large, pull(131, small))
    expect(part.item).toMatchObject({ severity: 'low', same_change: true })
    expect(part.reason).toContain(': #131 is a part of your change (1 of your 30 files), in “0.ts” (low severity).')
    expect(part.advice).toBe('Let “bob” (#131) know what you are about to do.')
    const whole = await collisionWith(small, pull(131, large))
    expect(whole.item).toMatchObject({ severity: 'high' })
    expect(whole.reason).toContain('this change is open already as #131 (1 of its 30 files), in “0.ts”')
  })

  it('begins at half of the files of one side', async () => {
    const common = files(2)
    const with2 = [...common, ...files(2, 'a')]
    const with3 = [...common, ...files(3, 'b')]
    expect((await collisionWith(workOf(with2), pull(1, workOf(with3)))).item).toMatchObject({ severity: 'high' })
    expect((await collisionWith(workOf(with3), pull(1, workOf(with2)))).item).toMatchObject({ severity: 'low' })
    const found = await check(workOf(with3), [pull(1, workOf([...common, ...files(3, 'c')]))])
    expect(found).toMatchObject({ overlap_detected: false, nearby_count: 1 })
    expect(found.reason).toContain('#1 by “bob” (“0.ts”, the same change)')
  })

  it('is counted without ignored files, on either side', async () => {
    const counting = { ...comparisonOf().counting, isIgnored: (path: string) => path.endsWith('.lock') }
    const locks = Array.from({ length: 9 }, (_, n) => file(`${n}.lock`))
    const alike = [...files(1), ...locks.map((lock) => ({ ...lock, blob: 'other' }))]
    expect(
      (await collisionWith(workOf(alike), pull(1, workOf([...files(1), ...locks])), { counting })).item,
    ).toMatchObject({
      severity: 'high',
    })
    expect((await check(workOf(locks), [pull(1, workOf(locks))], { counting })).collisions).toEqual([])
  })

  it('has files that are not listed: they count as other ones', async () => {
    const partly = workOf(files(2), { filesTotal: 5 })
    expect((await collisionWith(partly, pull(1, workOf(files(2))))).item).toMatchObject({ severity: 'low' })
  })

  it('is not that of empty files alone, but that of removed ones', async () => {
    const empty = file('a/__init__.py', { status: 'added', blob: emptyBlob })
    expect((await check(workOf([empty]), [pull(1, workOf([empty]))])).collisions).toEqual([])
    const removed = file('a.ts', { status: 'removed', blob: null })
    const { item } = await collisionWith(workOf([empty, removed]), pull(1, workOf([empty, removed])))
    expect(item).toMatchObject({ severity: 'high', example_path: 'a.ts' })
  })

  it('is `medium` of one author on two branches, and called your own', async () => {
    const account = { id: 3n, login: 'bob' }
    const identity = { ...comparisonOf().identity, account }
    const own = await collisionWith(workOf(files(1)), pull(131, workOf(files(1))), { identity, author: 'bob' })
    expect(own.item).toMatchObject({ severity: 'medium', same_change: true })
    expect(own.reason).toContain(': your own #131 is the same change, in “0.ts” (medium severity).')
    expect(own.advice).toBe('Keep one of the two: your own #131 is the same change.')
    // As another person sees it.
    const seen = await collisionWith(workOf(files(1)), pull(131, workOf(files(1))), { author: 'Bob' })
    expect(seen.item).toMatchObject({ severity: 'medium' })
  })

  it('is no collision of works with a commit in common, or on two base branches', async () => {
    const ours = workOf(files(1), { commits: new Set(['a', 'b']) })
    const stacked = workOf(files(1), { commits: new Set(['b', 'c']), headSha: 'c' })
    expect((await check(ours, [pull(1, stacked)])).collisions).toEqual([])
    expect((await check(ours, [pull(1, workOf(files(1), { baseBranch: 'next' }))])).collisions).toEqual([])
  })

  it('from outside is `low` for a member who was first, and `high` for whoever comes later', async () => {
    const copy = pull(999, workOf(files(1)), fromOutside(999))
    const first = await collisionWith(workOf(files(1)), copy, { own: begun(3) })
    expect(first.item).toMatchObject({ severity: 'low', same_change: true, outside: true })
    expect(first.reason).toContain('#999 repeats your change')
    const later = await collisionWith(workOf(files(1)), copy, { own: begun(1) })
    expect(later.item).toMatchObject({ severity: 'high' })
    expect(later.advice).toBe(
      'See whether the pull request of “evil0” (#999), from outside of the project, is all that is needed: do not wait for it.',
    )
    const ofStranger = await collisionWith(workOf(files(1)), copy, { own: begun(3), byStranger: true })
    expect(ofStranger.item).toMatchObject({ severity: 'high' })
  })

  it('counts as all changes do: nothing of ignored authors, `medium` of wide work, a step more of grave work', async () => {
    const counting = { ...comparisonOf().counting, ignoredAuthors: ['bob'] }
    const ofBot = pull(1, workOf(files(1), { author: 'bob' }))
    expect((await check(workOf(files(1)), [ofBot], { counting })).collisions).toEqual([])
    const wide = workOf(files(200))
    expect((await collisionWith(wide, pull(1, wide))).item).toMatchObject({ severity: 'medium' })
    const grave = pull(1, workOf(files(1)), { blocking: true })
    expect((await collisionWith(workOf(files(30)), grave)).item).toMatchObject({ severity: 'medium' })
  })

  it('is told beside worse lines in another file, which the text is about', async () => {
    const other = (blob: string) => [...files(1), file('b.ts', { blob }), ...files(3, blob)]
    const { item, reason } = await collisionWith(
      workOf(other('x')),
      pull(1, workOf([...files(1), file('b.ts', { blob: 'y' })])),
    )
    expect(item).toMatchObject({ severity: 'high', same_change: true, example_path: 'b.ts' })
    expect(reason).toContain('changing lines 1–5 of “b.ts”, touching your lines 1–5 (high severity).')
  })

  it('of recorded work without a pull request has the title for a name', async () => {
    const other = activityOf({ title: 'Login', actor: 'carla', changed: comparableWork(workOf(files(1))) })
    expect((await collisionWith(workOf(files(1)), other)).reason).toContain(
      'this change is open already as “Login”, in',
    )
  })
})

describe('how much of two pieces of work is the same change', () => {
  const path = fc.constantFrom('a', 'b', 'c', 'd', 'e.lock')
  const change = fc
    .record({ path, blob: fc.constantFrom('x', 'y', undefined, emptyBlob) })
    .map(({ path: name, blob }) => file(name, { blob }))
  const work = fc
    .record({
      files: fc.uniqueArray(change, { selector: (one) => one.path, maxLength: 5 }),
      unlisted: fc.constantFrom(0, 0, 2),
      commits: fc.constantFrom<string[]>([], [], ['1'], ['1', '2'], ['2']),
    })
    .map(({ files: changed, unlisted, commits }) =>
      workOf(changed, { filesTotal: changed.length + unlisted, commits: new Set(commits) }),
    )
  const rules = {
    isIgnored: (name: string) => name.endsWith('.lock'),
    ignoredAuthors: [],
    maxFiles: 100,
    isHot: () => false,
  }
  const sameOf = (a: ChangedWork, b: ChangedWork) =>
    compareChanges(comparableWork(a), comparableWork(b), rules)?.sameChange ?? null

  it('is the same from either side', () => {
    fc.assert(
      fc.property(work, work, (a, b) => {
        const [found, turned] = [sameOf(a, b), sameOf(b, a)]
        expect(turned && { ...turned, ours: turned.theirs, theirs: turned.ours }).toEqual(found)
      }),
      { numRuns: 2000 },
    )
  })

  it('is that of the files with equal blobs: at least half of one side, one of them not empty', () => {
    fc.assert(
      fc.property(work, work, (a, b) => {
        const counted = (given: ChangedWork) => given.files.filter(({ path: name }) => !rules.isIgnored(name))
        const total = (given: ChangedWork) => counted(given).length + given.filesTotal - given.files.length
        const equal = counted(a).filter(({ path: name, blob }) =>
          counted(b).some((other) => other.path === name && blob !== undefined && other.blob === blob),
        )
        const isSame =
          equal.some(({ blob }) => blob !== emptyBlob) &&
          [a, b].some((given) => equal.length >= total(given) / 2) &&
          ![...a.commits].some((commit) => b.commits.has(commit))
        expect(sameOf(a, b)).toEqual(
          isSame ? { equal: equal.length, ours: total(a), theirs: total(b), limit: 'high' } : null,
        )
      }),
      { numRuns: 2000 },
    )
  })
})
