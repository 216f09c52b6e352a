import { expect, it } from 'vitest'
import { type Findings, type Story, tell } from './story.ts'

const lines: Findings = { changes: { 'a.ts': [130, 133] } }

const advised: [what: string, story: Story, advice: string][] = [
  ['high', { mine: lines, others: [{ ...lines, number: 131 }] }, 'Talk to #131 (“Ana”) before you start.'],
  [
    'other work of one’s own',
    { mine: { ...lines, login: 'ana' }, others: [{ ...lines, login: 'ana', number: 131 }] },
    'See that this and your own #131 fit together.',
  ],
  [
    'the work of others, though other work of one’s own is newer',
    {
      mine: { ...lines, login: 'ana' },
      others: [
        { ...lines, login: 'ana', begun: 1 },
        { ...lines, actor: 'Ben', login: 'ben' },
      ],
    },
    'Talk to “Ben” before you start.',
  ],
  [
    'two who are as bad, and one who is not',
    { mine: lines, others: [{ ...lines, actor: 'Ben' }, lines, { changes: { 'a.ts': [135, 135] }, actor: 'Eve' }] },
    'Talk to “Ben” and “Ana” before you start.',
  ],
  [
    'one whose name says nothing of the account',
    { mine: lines, others: [{ ...lines, login: 'ana-gh', number: 131 }] },
    'Talk to #131 (“Ana”, “ana-gh”) before you start.',
  ],
  ['medium', { mine: { paths: ['src'] }, others: [{ paths: ['src/**'] }] }, 'Agree with “Ana” who changes what.'],
  ['low', { mine: { areas: ['a'] }, others: [{ areas: ['a'] }] }, 'Let “Ana” know.'],
  ['an issue', { mine: { issues: [4], paths: ['x'] }, others: [{ issues: [4] }] }, 'Ask “Ana” who works on the issue.'],
  ['a notable', { mine: lines, notables: [{ title: 'Freeze', blocking: true }] }, 'Read “Freeze” first.'],
  [
    'a notable about all',
    { mine: lines, notables: [{ title: 'Style', importance: 'low' }] },
    'Keep in mind for the whole repository: “Style”.',
  ],
  ['what was merged', { mine: lines, reuse: [{ number: 12 }] }, 'See #12 first, merged lately.'],
  [
    'merged work without a pull request of this repository',
    { mine: lines, reuse: [{ number: null }] },
    'See first what was merged lately.',
  ],
  [
    'a branch with a record',
    { mine: { ...lines, branch: 'login' }, others: [lines] },
    'This branch has its record: update it rather than make another.',
  ],
  [
    'an ended record',
    { mine: lines, ownId: 'act_1', ownEndedAs: 'has expired' },
    'Your record has expired: others do not see it any more. If the work goes on, record it anew.',
  ],
]

it.each(advised)('§5 what to do about %s', async (_, story, line) => expect((await tell(story)).advice).toContain(line))
