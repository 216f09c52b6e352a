import { expect, it } from 'vitest'
import { type Asked, decide, type Other } from '../../../src/core/overlap/decide.ts'
import type { NotableFacts } from '../../../src/core/overlap/notables.ts'
import { type TestWork, workOf } from './works.ts'

const nobody = {
  branch: null,
  base_branch: null,
  isPullRequest: false,
  number: null,
  login: null,
  pull: null,
  commits: [],
}

const minutesAgo = (minutes: number) => new Date(Date.UTC(2026, 10, 20) - minutes * 60_000)

function other(id: string, work: TestWork, given: Partial<Other> = {}): Other {
  const plain = { blocking: false, risk: 'low', isStranger: false, isIncomplete: false } as const
  return { ...nobody, ...plain, newestAt: minutesAgo(0), id, work: workOf(work), ...given }
}

const pullFile = { toldBy: 'github', lines: [[1, 1]] } as const satisfies NonNullable<TestWork['files']>[string]
const onFile: TestWork = { files: { 'src/a.ts': { ...pullFile, lines: [[1, 1]] } } }

function ask(mine: TestWork, others: Other[], more: Partial<Asked<Other, NotableFacts>> = {}) {
  return decide({
    proposal: { ...nobody, isIncomplete: false, work: workOf(mine) },
    ...{ others, notables: [], stack: { ancestors: new Set(), descendants: new Set() }, defaultBranch: 'main' },
    ...{ cut: { members: false, strangers: false }, isWideCut: false },
    observed: { pull_requests: 'current', unread: 0 },
    ...more,
  })
}

const ids = (met: { activity: Other }[]) => met.map(({ activity }) => activity.id)

it('§5 sorts members before strangers, then the worst, then the newest', async () => {
  const medium: TestWork = { globs: ['src/*'] }
  const { collisions } = await ask({ ...onFile, globs: ['src/b.ts'] }, [
    other('stranger', onFile, { isStranger: true }),
    other('older', medium, { newestAt: minutesAgo(9) }),
    other('newer', medium),
    other('worst', onFile, { newestAt: minutesAgo(99) }),
  ])
  expect(ids(collisions)).toEqual(['worst', 'newer', 'older', 'stranger'])
})

it('§5 goes one step up for blocking work and for high risk, to high at most', async () => {
  const area: TestWork = { areas: ['auth'] }
  const { collisions, severity } = await ask({ areas: ['auth'], ...onFile }, [
    other('a', area, { blocking: true }),
    other('b', area, { risk: 'critical' }),
    other('c', area),
    other('d', onFile, { blocking: true }),
  ])
  expect(Object.fromEntries(collisions.map(({ activity, severity }) => [activity.id, severity]))).toEqual({
    ...{ a: 'medium', b: 'medium', c: 'low', d: 'high' },
  })
  expect(severity).toBe('high')
})

it('§5 of what is near, what may conflict comes before what merges, however new that is', async () => {
  const mine: TestWork = { files: { 'src/a.ts': { lines: [[1, 1]] } } }
  const apart = other('apart', { files: { 'src/a.ts': { lines: [[9, 9]] } } })
  const whole = other('whole', { files: { 'src/a.ts': { lines: [] } } }, { newestAt: minutesAgo(9) })
  expect(ids((await ask(mine, [apart, whole])).nearby)).toEqual(['whole', 'apart'])
})

it('§5 an issue that seven works of members name, the proposal counted, is near and no obstacle', async () => {
  const six = Array.from({ length: 6 }, (_, at) => other(`m${at}`, { issues: [42] }))
  const mine: TestWork = { issues: [42], globs: ['docs/**'] }
  const epic = await ask(mine, six)
  expect(epic).toMatchObject({ collisions: [], obstacles: [] })
  expect(epic.nearby).toHaveLength(6)
  const five = [...six.slice(1), other('s', { issues: [42] }, { isStranger: true })]
  expect((await ask(mine, five)).collisions).toHaveLength(6)
  // One's own record is the same work.
  const own = other('own', { issues: [42] }, { branch: 'mine' })
  const proposal = { ...nobody, branch: 'mine', isIncomplete: false, work: workOf(mine) }
  expect((await ask(mine, [...six.slice(1), own], { proposal })).collisions).toHaveLength(5)
})

it.each<[string, TestWork, Other[], Partial<Asked<Other, NotableFacts>>, string[]]>([
  ['nothing', onFile, [], {}, []],
  ['a collision', onFile, [other('a', onFile)], {}, ['collision']],
  ['a stranger’s collision', onFile, [other('a', onFile, { isStranger: true })], {}, ['collision']],
  ['nothing named', { issues: [4] }, [], {}, ['nothing_named']],
  ['not read', onFile, [], { observed: { pull_requests: 'stale', unread: 0 } }, ['not_read']],
  ['unread', onFile, [], { observed: { pull_requests: 'current', unread: 1 } }, ['not_read']],
  ['not observed', onFile, [], { observed: { pull_requests: 'off', unread: 0 } }, []],
  ['a wide glob over a member’s file', { globs: ['src/**'] }, [other('a', onFile)], {}, ['near']],
  ['a wide glob over a stranger’s', { globs: ['src/**'] }, [other('a', onFile, { isStranger: true })], {}, []],
  ['too many files below a wide glob', { globs: ['src/**'] }, [], { isWideCut: true }, ['near']],
  ['members cut', onFile, [], { cut: { members: true, strangers: true } }, ['cut']],
  ['strangers cut', onFile, [], { cut: { members: false, strangers: true } }, []],
  ['files of a member that are not kept', onFile, [other('a', {}, { isIncomplete: true })], {}, ['cut']],
  [
    'its own files that are not known',
    { areas: ['x'] },
    [],
    { proposal: { ...nobody, isIncomplete: true, work: workOf({ areas: ['x'] }) } },
    ['cut'],
  ],
  [
    'files that are not kept, and only an area named',
    { areas: ['x'] },
    [other('a', {}, { isIncomplete: true })],
    {},
    [],
  ],
])('§5 obstacles: %s', async (_, mine, others, more, expected) => {
  expect((await ask(mine, others, more)).obstacles).toEqual(expected)
})

it('§5 lines that are known to be apart are near, and no obstacle', async () => {
  const far: TestWork = { files: { 'src/a.ts': { lines: [[50, 50]] } } }
  expect(await ask(onFile, [other('a', far)])).toMatchObject({
    collisions: [],
    nearby: [{ severity: null }],
    obstacles: [],
  })
})

it('§5 what the budget does not allow to compare is cut: notables come first, and strangers last', async () => {
  // 36 pairs of globs, each of 256 × 256 pairs of alternatives.
  const many = (letter: string) => ({ globs: Array.from({ length: 6 }, (_, at) => `${letter}{1..256}/${at}`) })
  const mine: TestWork = { ...onFile, ...many('a') }
  const [member, costly] = [other('a', onFile), many('b')]
  expect(await ask(mine, [member, other('b', costly)])).toMatchObject({ obstacles: ['collision', 'cut'] })
  const strangers = await ask(mine, [member, other('s', costly, { isStranger: true })])
  expect(strangers).toMatchObject({ cut: { members: false, strangers: true }, obstacles: ['collision'] })
  const notables = [notable('n', costly)]
  expect(await ask(mine, [], { notables })).toMatchObject({ obstacles: ['cut'] })
  expect(await ask(mine, [member], { notables })).toMatchObject({ collisions: [], obstacles: ['cut'] })
})

it('§5 own and stacked work is expected, and never counts', async () => {
  const found = await ask(onFile, [other('a', onFile, { base_branch: 'mine', branch: 'top' })], {
    stack: { ancestors: new Set(), descendants: new Set(['mine']) },
  })
  expect(found).toMatchObject({ collisions: [], obstacles: [], expected: [{ relationship: 'stacked' }] })
})

function notable(id: string, scope: TestWork | null, given: Partial<NotableFacts> = {}): NotableFacts {
  return { id, importance: 'low', blocking: false, work: scope && workOf(scope), ...given }
}

it('§5 notables match by names and by changed files, whoever told them', async () => {
  const notables = [
    notable('n1', { globs: ['src/**'] }),
    notable('n2', { globs: ['src/a.ts'] }, { importance: 'high' }),
    notable('n3', { areas: ['auth'] }, { blocking: true }),
    notable('n4', { globs: ['docs/**'] }),
    notable('n0', { globs: ['src/*'] }, { importance: 'medium' }),
    notable('n5', { areas: ['db'], areaGlobs: { db: ['src/**'] } }, { importance: 'critical' }),
  ]
  const { notables: matching, obstacles, severity } = await ask({ ...onFile, areas: ['Auth'] }, [], { notables })
  expect(matching.map(({ notable, severity }) => [notable.id, severity])).toEqual([
    ['n5', 'high'],
    ['n3', 'high'],
    ['n2', 'medium'],
    ['n1', 'low'],
    ['n0', 'low'],
  ])
  expect({ obstacles, severity }).toEqual({ obstacles: ['notable'], severity: 'high' })
})

it('§5 a freeze matches every proposal, another notable about the repository is only listed', async () => {
  const notables = [notable('n1', null, { importance: 'critical' }), notable('n2', null, { importance: 'high' })]
  const found = await ask({}, [], { notables })
  expect(found.notables.map(({ notable }) => notable.id)).toEqual(['n1'])
  expect(found.repositoryNotables.map(({ id }) => id)).toEqual(['n2'])
})
