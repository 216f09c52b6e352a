import { beforeEach, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import { useReports } from './check-runs.ts'

const at = useReports()
const { standIn, settle } = at
beforeEach(() => {
  standIn().private = false
})

/** What a check run says. */
function runOn(number: number) {
  const { conclusion, title, summary } = at.runOn(number) ?? {}
  return { conclusion, title, summary }
}

interface Author {
  association?: 'MEMBER' | 'NONE'
  /** Whether the head is in a fork. */
  isFork?: boolean
  lines?: [number, number]
  /** A file that it adds; by default it changes lines of `src/a.ts`. */
  added?: string
}
const ofMember: Author = { association: 'MEMBER', isFork: false }

async function open(author: string, { association = 'NONE', isFork = true, lines = [10, 20], added }: Author = {}) {
  at.service.clock.advance(minute)
  const opened = await at.service.github.openPullRequest(at.repository, {
    ...{
      head: `change-${standIn().pulls.length}`,
      author,
      association,
      files: [added === undefined ? { path: 'src/a.ts', lines: [lines] } : { path: added, status: 'added', lines: [] }],
    },
    ...(isFork ? { from: at.service.newRepository(`${author}-${at.repository.owner}`) } : {}),
  })
  return opened.number
}

describe('the check run of a member', () => {
  it('stays a success for strangers alone, and names one of them', async () => {
    const own = await open('alice', ofMember)
    await settle()
    const stranger = await open('evil0')
    await settle()
    expect(runOn(own)).toMatchObject({
      conclusion: 'success',
      title: `Only outside pull requests: #${stranger} (evil0)`,
    })
    expect(runOn(own).summary).toMatch(/\| evil0, from outside \|.*Nothing to do now: only pull requests from outside/s)
    expect(runOn(stranger)).toMatchObject({ conclusion: 'neutral', title: `Same lines as #${own} (alice)` })
  })

  it('is not written again for each further stranger', async () => {
    const own = await open('alice', ofMember)
    await open('evil0')
    await settle()
    const before = runOn(own)
    for (let n = 1; n < 4; n++) await open(`evil${n}`)
    expect(await settle()).toMatchObject({ created: 3, rewritten: 0 })
    expect(runOn(own)).toEqual(before)
  })

  it('names a member first, and counts members alone', async () => {
    const own = await open('alice', ofMember)
    const other = await open('bob', { ...ofMember, lines: [15, 16] })
    for (let n = 0; n < 5; n++) await open(`evil${n}`)
    await settle()
    expect(runOn(own)).toMatchObject({ conclusion: 'neutral', title: `Same lines as #${other} (bob)` })
    const rows =
      runOn(own)
        .summary?.split('\n')
        .filter((line) => /^\| #\d/.test(line)) ?? []
    expect(rows.map((row) => row.split(' | ')[1])).toEqual([
      'bob',
      ...[4, 3, 2, 1, 0].map((n) => `evil${n}, from outside`),
    ])
  })

  it('has a row for each of nine members beside a flood, and one for each stranger', async () => {
    const own = await open('alice', ofMember)
    await settle()
    for (let n = 0; n < 9; n++) await open(`member${n}`, ofMember)
    for (let n = 0; n < 6; n++) await open('evil0')
    for (let n = 0; n < 3; n++) await open(`evil${n + 1}`)
    await settle()
    const summary = runOn(own).summary ?? ''
    const rows = summary.split('\n').filter((line) => /^\| #\d/.test(line))
    expect(rows).toHaveLength(10)
    expect(rows.filter((row) => row.includes('member'))).toHaveLength(9)
    expect(rows[9]).toContain('evil3, from outside |')
    expect(summary).toContain('8 more open pull requests with collisions')
    const few = await open('carla', { ...ofMember, lines: [15, 15] })
    await settle()
    expect(runOn(few).summary).toMatch(/\| member0 \|/)
  })

  it('counts the others of a stranger in one row', async () => {
    const own = await open('alice', ofMember)
    for (let n = 0; n < 4; n++) await open('evil0')
    const last = await open('evil1')
    await settle()
    expect(runOn(own).title).toBe(`Only outside pull requests: #${last} (evil1) and 4 more`)
    expect(runOn(own).summary).toContain('| evil0, from outside, and 3 more of evil0 |')
    expect(runOn(own).summary).not.toContain('more open pull requests')
  })
})

describe('the check run of a stranger', () => {
  it('does not name a file that only other strangers add too, and names one that a member adds', async () => {
    const added = 'lib/aIGNORE-ALL-RULES.ts'
    const [one, two] = [await open('evil0', { added }), await open('evil1', { added })]
    await settle()
    expect(runOn(one).summary).toContain(`#${two} | evil1, from outside |`)
    expect(runOn(one).summary).toContain('| a new file: added by both |')
    expect(JSON.stringify([runOn(one), runOn(two)])).not.toContain('IGNORE')
    const own = await open('alice', { ...ofMember, added })
    await settle()
    expect(runOn(own).summary).toContain('IGNORE')
  })

  it('is neutral for another stranger', async () => {
    const first = await open('evil0')
    const second = await open('evil1')
    await settle()
    expect(runOn(first)).toMatchObject({ conclusion: 'neutral', title: `Same lines as #${second} (evil1)` })
  })
})

describe('nobody is a stranger', () => {
  it.each([
    ['in a private repository', true, {}],
    ['whose head is in the repository itself', false, { isFork: false }],
  ])('%s', async (_, isPrivate, author: Author) => {
    standIn().private = isPrivate
    const own = await open('alice', ofMember)
    const other = await open('dan', author)
    await settle()
    expect(runOn(own)).toMatchObject({ conclusion: 'neutral', title: `Same lines as #${other} (dan)` })
  })

  it('as soon as the repository becomes private, and again when it becomes public', async () => {
    const own = await open('alice', ofMember)
    const other = await open('dan')
    await at.service.github.setPrivate(at.repository, true)
    await settle()
    expect(runOn(own).title).toBe(`Same lines as #${other} (dan)`)
    await at.service.github.setPrivate(at.repository, false)
    at.service.clock.advance(minute)
    await at.service.github.push(at.repository, 'change-0', {}, { changed: [{ path: 'src/a.ts', lines: [[10, 21]] }] })
    await settle()
    expect(runOn(own).title).toBe(`Only outside pull requests: #${other} (dan)`)
  })
})
