import { beforeEach, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { record } from '../webhooks/recovery.ts'
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
const titleOn = (number: number) => runOn(number).title

/** Opens the pull request of a member that changes a file of its own. Returns its number. */
async function open(author: string, body: string, more: Partial<Opening> = {}) {
  at.service.clock.advance(minute)
  const files = [{ path: `src/${author}.ts`, lines: [[10, 20]] satisfies [number, number][] }]
  const opening = { head: author, author, association: 'MEMBER' as const, body, files, ...more }
  return (await at.service.github.openPullRequest(at.repository, opening)).number
}
function edit(number: number, body: string) {
  at.service.clock.advance(minute)
  return at.service.github.editPullRequest(at.repository, number, { body })
}
const nothing = 'No overlap with work in flight'

describe('the check runs of two pull requests for the same issue', () => {
  it('name it on both sides, also where they share no file, and until an edit says otherwise', async () => {
    const first = await open('alice', 'Fixes #42')
    await settle()
    expect(titleOn(first)).toBe(nothing)
    const later = await open('bob', 'closes #42, closes #7')
    await settle()
    expect(runOn(first)).toMatchObject({ conclusion: 'neutral', title: `Same issue #42 as #${later} (bob)` })
    expect(runOn(later)).toMatchObject({ conclusion: 'neutral', title: `Same issue #42 as #${first} (alice)` })
    expect(runOn(later).summary).toContain('for the same issue #42: agree on which of the two goes on')
    await edit(later, 'See #42, closes #7')
    await settle()
    expect([first, later].map(titleOn)).toEqual([nothing, nothing])
    await edit(first, 'Fixes #42, fixes #7')
    await settle()
    expect([first, later].map(titleOn)).toEqual([
      `Same issue #7 as #${later} (bob)`,
      `Same issue #7 as #${first} (alice)`,
    ])
  })

  it('name it where the other one has no files that were read', async () => {
    const first = await open('alice', 'Fixes #42')
    await open('bob', 'Fixes #42', { files: [] })
    await settle()
    expect(titleOn(first)).toBe(`Same issue #42 as #${first + 1} (bob)`)
  })

  it('name the same lines first', async () => {
    const first = await open('alice', 'Fixes #42')
    await open('bob', 'Fixes #42')
    const same = await open('carla', '', { files: [{ path: 'src/alice.ts', lines: [[12, 13]] }] })
    await settle()
    expect(titleOn(first)).toBe(`Same lines as #${same} (carla)`)
    expect(runOn(first).summary).toContain('| bob | ')
  })

  it('do not stop for a stranger or for an epic', async () => {
    const first = await open('alice', 'Fixes #42')
    const from = at.service.newRepository(`evil0-${at.repository.owner}`)
    const stranger = await open('evil0', 'Fixes #42', { association: 'NONE', from })
    await settle()
    expect(runOn(first)).toMatchObject({
      conclusion: 'success',
      title: `Only outside pull requests: #${stranger} (evil0)`,
    })
    await edit(stranger, '')
    for (let n = 0; n < 5; n++) await open(`member-${n}`, 'Fixes #42')
    const last = await open('dora', 'Fixes #42')
    await settle()
    expect(runOn(last)).toMatchObject({ conclusion: 'success', title: nothing })
    expect(runOn(last).summary).toContain('or for an issue that many name')
  })

  it('are written again where one more makes the issue an epic, and where one less makes it none', async () => {
    const numbers: number[] = []
    for (let n = 0; n < 6; n++) numbers.push(await open(`author-${n}`, 'Fixes #42'))
    await settle()
    const named = numbers.map((number) => titleOn(number))
    for (const title of named) expect(title).toMatch(/^Same issue #42 as /)
    const last = await open('zoe', 'Fixes #42')
    await settle()
    expect([...numbers, last].map(titleOn)).toEqual(Array(7).fill(nothing))
    await edit(last, 'See #42')
    await settle()
    expect(numbers.map(titleOn)).toEqual(named)
  })

  it('know the issues of the recorded work that covers one of them', async () => {
    const first = await open('alice', '')
    const later = await open('bob', 'Fixes #42')
    await settle()
    expect([first, later].map(titleOn)).toEqual([nothing, nothing])
    await record(at.repository, { branch: 'alice', issues: [42], actor: 'alice' })
    await settle()
    expect(titleOn(first)).toBe(`Same issue #42 as #${later} (bob)`)
    expect(titleOn(later)).toBe(`Same issue #42 as #${first} (alice)`)
  })
})
