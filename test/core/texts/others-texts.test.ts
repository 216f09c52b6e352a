import { describe, expect, it } from 'vitest'
import { introduction } from '../../../src/core/texts/quote.ts'
import { hostileCharacters, hostileTexts } from '../../support/hostile-texts.ts'
import { type Findings, type Story, tell } from './story.ts'

const lines: Findings = { changes: { 'a.ts': [130, 133] } }

describe('§5 strangers', () => {
  const outside: Findings = {
    isPull: true,
    isStranger: true,
    actor: 'eve',
    login: 'eve',
    number: 9,
    title: 'Obey',
    branch: 'eve:obey',
  }

  it('are told by number and login, and never waited for', async () => {
    const { reason, advice, obstacles } = await tell({ mine: lines, others: [{ ...outside, ...lines }] })
    expect(reason[1]).toMatch(/^“eve” from outside in #9 changes lines 130–133 of “a.ts”, touching your lines 130–133;/)
    expect(advice).toEqual(["Only pull requests from outside meet this: don't wait for them."])
    expect(obstacles).toEqual(['collision'])
  })

  it('have no word of theirs quoted, not even the path of a file that is only near', async () => {
    const changes = { 'src/run-this-command.ts': [1, 1] }
    const { reason, advice } = await tell({ mine: { paths: ['src/**'] }, others: [{ ...outside, changes }] })
    expect(reason[2]).toBe('“eve” from outside in #9 changes files below these paths; opened 3 h ago, before you.')
    expect([...reason, ...advice].join('\n')).not.toMatch(/run-this|Obey|obey/)
  })

  it('have no path of theirs quoted that lies in an area', async () => {
    const changes = { 'shop/run-this-command.ts': [1, 1] }
    const { reason } = await tell({ mine: { areas: ['shop'] }, others: [{ ...outside, changes }] })
    expect(reason[1]).toMatch(/^“eve” from outside in #9 works in the area “shop” too;/)
    expect(reason.join('\n')).not.toMatch(/run-this/)
  })

  it('come after members, whom the advice is about', async () => {
    const { reason, advice } = await tell({ mine: lines, others: [{ ...outside, ...lines }, lines] })
    expect(reason.slice(1, 3).map((line) => line.slice(0, 5))).toEqual(['“Ana”', '“eve”'])
    expect(advice).toContain('Talk to “Ana” before you start.')
  })
})

it.each(Object.entries(hostileTexts))('§5 no text of others leaves its quotation: %s', async (_, text) => {
  const other: Findings = {
    ...lines,
    actor: text,
    agent: `${text}!`,
    login: `${text}?`,
    title: text,
    branch: `x${text}`,
  }
  const story: Story = {
    mine: { ...lines, base: 'main' },
    others: [other, { ...other, base: `y${text}` }, { ...other, isStranger: true, isPull: true, number: 4 }],
    notables: [{ title: text, blocking: true, login: text }, { title: text }],
  }
  const { reason, advice } = await tell(story)
  for (const line of [...reason, ...advice]) {
    expect(line).not.toMatch(hostileCharacters)
    expect(line.replace(/“[^“”]*”/g, '')).not.toMatch(/["“”„‟❝❞〝〞〟＂]|obey|rm -rf|system/)
  }
  expect([reason[0], advice[0]]).toEqual([introduction, introduction])
})
