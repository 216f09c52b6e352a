import { describe, expect, it } from 'vitest'
import { introduction } from '../../../src/core/texts/quote.ts'
import { type Findings, type Story, tell } from './story.ts'

const lines: Findings = { changes: { 'a.ts': [130, 133] } }

const meetings: [what: string, mine: Findings, other: Findings, line: string][] = [
  [
    'the same lines in a pull request',
    lines,
    { isPull: true, actor: 'ana', login: 'ana', number: 131, pushed: 2, seen: 1, changes: { 'a.ts': [120, 131] } },
    '“ana” in #131 changes lines 120–131 of “a.ts”, touching your lines 130–133; pushed 2 h ago, before you (high severity).',
  ],
  [
    'several places, and an insertion',
    { changes: { 'a.ts': [3, 3, 10, 12, 50, 50] } },
    { changes: { 'a.ts': [4, 3, 12, 12] } },
    '“Ana” in “Rework the login” on branch “login” changes lines after 3 and 12 of “a.ts”, touching your lines 3 and 10–12; begun 3 h ago, before you (high severity).',
  ],
  [
    'a new line in the same place',
    { changes: { 'a.ts': [1, 0] } },
    { changes: { 'a.ts': [1, 0] }, branch: null },
    '“Ana” in “Rework the login” adds lines at the top of “a.ts”, touching your lines at the top; begun 3 h ago, before you (high severity).',
  ],
  [
    'one line between',
    { changes: { 'a.ts': [5, 5] } },
    { changes: { 'a.ts': [7, 7] }, agent: 'claude-code', login: 'ana-gh', seen: 0.1 },
    '“Ana” (“ana-gh”, with “claude-code”) in “Rework the login” on branch “login” changes line 7 of “a.ts”, one line away from your line 5; seen 6 min ago, before you (medium severity).',
  ],
  [
    'a file whose lines are not known',
    lines,
    { changes: { 'a.ts': null } },
    'changes “a.ts” too (not all lines are known); begun 3 h ago, before you (low severity).',
  ],
  [
    'a file that one removes',
    lines,
    { changes: { 'a.ts': null }, statuses: { 'a.ts': 'removed' } },
    'removes “a.ts”, which you change;',
  ],
  ['a binary file', { changes: { 'a.png': [] } }, { changes: { 'a.png': [] } }, 'changes “a.png” too (as a whole);'],
  ['a file below a glob', { paths: ['src/**'] }, { paths: ['src/b.ts'] }, 'works on files such as “src/b.ts” too;'],
  [
    'globs, of which no file is known',
    { paths: ['src/**'] },
    { paths: ['src/*.ts'] },
    'names files that you name too (“src/a.ts” would be one);',
  ],
  [
    'other work of one’s own',
    { ...lines, login: 'ana' },
    { login: 'Ana', agent: 'codex', branch: 'two', number: 2, seen: 0.1, changes: { 'a.ts': [130, 130] } },
    '“Ana” (with “codex”) in your “Rework the login” (#2) on branch “two” changes line 130 of “a.ts”, touching your lines 130–133; seen 6 min ago, before this (high severity).',
  ],
  [
    'a pull request of one’s own',
    { ...lines, login: 'ana' },
    { login: 'ana', isPull: true, number: 2, pushed: 2, changes: { 'a.ts': [130, 130] } },
    '“Ana” in your #2 changes line 130 of “a.ts”, touching your lines 130–133; pushed 2 h ago, before this (high severity).',
  ],
  ['the same file named', { paths: ['src/a.ts'] }, { paths: ['src/a.ts'] }, 'works on “src/a.ts” too;'],
  [
    'a file that one names and a pull request changes',
    { paths: ['src/a.ts'] },
    { isPull: true, number: 5, changes: { 'src/a.ts': null } },
    '“Ana” in #5 changes “src/a.ts”, which you name; opened 3 h ago, before you (low severity).',
  ],
  ['an issue', { paths: ['x'], issues: [42] }, { issues: [42] }, 'works on issue #42 too;'],
  ['an area', { areas: ['Auth'] }, { areas: ['auth'] }, 'works in the area “Auth” too;'],
  [
    'blocking work',
    { areas: ['auth'] },
    { areas: ['auth'], blocking: true },
    'works in the area “auth” too; begun 3 h ago, before you (medium severity, blocking).',
  ],
]

describe('§5 one line says who, in what, which file, which lines, and how fresh', () => {
  it.each(meetings)('%s', async (_, mine, other, line) => {
    const { reason } = await tell({ mine, others: [other] })
    expect(reason[0]).toBe(introduction)
    expect(reason[1]).toContain(line)
  })

  it('before you, or after you', async () => {
    const story = { mine: lines, others: [{ ...lines, begun: 3 }] }
    expect((await tell({ ...story, ownBegun: 1 })).reason[1]).toContain(', before you')
    expect((await tell({ ...story, ownBegun: 5 })).reason[1]).toContain(', after you')
  })
})

const nearby: [what: string, mine: Findings, other: Findings, line: string, advice: string][] = [
  [
    'lines that are apart',
    lines,
    { changes: { 'a.ts': [1, 2] } },
    'changes lines 1–2 of “a.ts”, apart from your lines 130–133;',
    'Go ahead.',
  ],
  [
    'files of a pull request below a wide glob',
    { paths: ['src/**'] },
    { isPull: true, number: 5, changes: { 'src/a.ts': [1, 1] } },
    '“Ana” in #5 changes files such as “src/a.ts”; opened 3 h ago, before you.',
    'Name the files that you will change: others change some below these paths.',
  ],
  [
    'a path that is a directory of the other',
    { changes: { 'src/x': [1, 0] }, statuses: { 'src/x': 'added' } },
    { changes: { 'src/x/a.ts': [1, 0] }, statuses: { 'src/x/a.ts': 'added' } },
    'uses “src/x” as a file where you use it as a directory, or the other way round;',
    'See whether you and “Ana” can merge.',
  ],
  [
    'another base branch',
    { ...lines, base: 'main' },
    { ...lines, base: 'release' },
    'near your lines 130–133, but goes into “release” and not into “main”;',
    'See whether you and “Ana” can merge.',
  ],
  [
    'a file added to a renamed directory',
    { changes: { 'src/new.ts': [1, 0] }, statuses: { 'src/new.ts': 'added' } },
    {
      changes: { 'src/a.ts': null, 'lib/a.ts': null },
      statuses: { 'src/a.ts': 'renamed_from', 'lib/a.ts': 'renamed' },
    },
    'renames the directory to which you add “src/new.ts”;',
    'See whether you and “Ana” can merge.',
  ],
]

describe('§5 what is only near is told too, with what to do where it may not merge', () => {
  it.each(nearby)('%s', async (_, mine, other, line, todo) => {
    const { reason, advice, obstacles } = await tell({ mine, others: [other] })
    expect(reason).toContain('Near, and no overlap:')
    expect(reason.join('\n')).toContain(line)
    expect(reason).not.toContain('Nothing known meets this.')
    expect(advice).toContain(todo)
    expect(advice.includes('Go ahead.')).toBe(obstacles.length === 0)
  })
})

const gaps: [what: string, story: Story, reason: string, advice: string][] = [
  [
    'nothing is named',
    {},
    'Nothing was compared: no paths, areas or changes were named.',
    'Name the files that you will change, and check again.',
  ],
  [
    'only an issue is named',
    { mine: { issues: [7] } },
    'Only the number of an issue was compared (#7): no paths, areas or changes were named.',
    'Name the files that you will change, and check again.',
  ],
  [
    'only ignored files are changed',
    { mine: { changes: { 'yarn.lock': null } } },
    'Nothing was compared: the settings ignore all files that are changed (ignored_paths).',
    'Name the files that you will change, and check again.',
  ],
  [
    'more is changed than is compared',
    { mine: { ...lines, isIncomplete: true } },
    'Not all files that you change were compared: they are too many.',
    'Split the work: nothing compares all files that it changes.',
  ],
  [
    'too much to compare',
    { mine: lines, cut: { members: true, strangers: true } },
    'Not everything was compared: there was too much.',
    'Name fewer paths, or plainer globs, and check again.',
  ],
  [
    'too much from outside to compare',
    { mine: lines, cut: { members: false, strangers: true } },
    'Not all pull requests from outside were compared: there were too many.',
    'Go ahead.',
  ],
  [
    'nothing is read yet',
    { mine: lines, observed: { pull_requests: 'reading' } },
    'The open pull requests are being read.',
    'Not all open work is read: check again in a minute.',
  ],
  [
    'the reading is old',
    { mine: lines, observed: { pull_requests: 'stale', as_of: new Date('2026-11-20T09:00:00Z') } },
    'The open pull requests were last read 3 h ago.',
    'Not all open work is read: check again in a minute.',
  ],
  [
    'some are unread',
    { mine: lines, observed: { unread: 3 } },
    'The files of 3 open pull requests are not read.',
    'Not all open work is read: check again in a minute.',
  ],
  [
    'some of strangers are unread',
    { mine: lines, observed: { unreadOfStrangers: 1 } },
    'The files of 1 open pull request from outside are not read.',
    'Go ahead.',
  ],
  [
    'more than 300 are open',
    { mine: lines, observed: { unread: 40, unlisted: 40 } },
    'Beyond the 300 that were updated last, only the GitHub App reads them: install it.',
    'Not all open work is read: check again in a minute.',
  ],
  [
    'the token may not list them',
    { mine: lines, observed: { pull_requests: 'unavailable' } },
    'This token may not read the pull requests: only recorded work is known.',
    'Check with a token that may read them.',
  ],
  [
    'pull requests are not observed',
    { mine: lines, observed: { pull_requests: 'off' } },
    'Open pull requests are not looked at here.',
    'Go ahead.',
  ],
  ['all is known', { mine: lines }, 'Nothing known meets this.', 'Go ahead.'],
]

it.each(gaps)('§5 "Go ahead" is said only where all is known: %s', async (_, story, line, todo) => {
  const { reason, advice, obstacles } = await tell(story)
  expect(reason).toContain(line)
  expect(advice).toContain(todo)
  expect(advice.includes('Go ahead.')).toBe(obstacles.length === 0)
})

it('§5 lists show at most five collisions and notables, and the count of the others', async () => {
  const others = Array.from({ length: 6 }, (_, n) => ({ ...lines, actor: `a${n}` }))
  const notables = Array.from({ length: 5 }, (_, n) => ({ title: `n${n}`, blocking: true }))
  const { reason } = await tell({ mine: lines, others, notables })
  const found = reason.filter((line) => line.includes('severity'))
  expect([found.length, found.filter((line) => line.startsWith('The notable')).length]).toEqual([5, 3])
  expect(reason).toContain('And 6 more.')
})

it.each([
  ['files', { paths: ['src/a.ts'] }, { paths: ['src/**'] }, 'files such as “src/a.ts”'],
  ['an area', { areas: ['auth'] }, { areas: ['auth'] }, 'the area “auth”'],
])('§5 a notable about %s is told with that, who raised it and until when', async (_, mine, scope, about) => {
  const notables = [{ title: 'Sessions move', ...scope, login: 'bob', importance: 'high' as const }]
  const [, line] = (await tell({ mine, notables })).reason
  const until = 'until 2026-11-27 (medium severity).'
  expect(line).toBe(`The notable “Sessions move” (raised by “bob”) is about ${about} ${until}`)
})
