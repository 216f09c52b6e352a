import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesForPeople } from '../../../../src/cli/output/text-for-people.ts'

const stories = new URL('../../../fixtures/overlap/', import.meta.url)
const alice = 'act_010g1n00000000000000000000'
const bob = 'act_0tax0000000000000000000000'

function textsOf(story: string): string[] {
  const { reason, recommended_action } = JSON.parse(readFileSync(new URL(`${story}/result.json`, stories), 'utf8'))
  return [reason, recommended_action]
}

/** Without what other people wrote. */
const ownWords = (line: string) => line.replace(/“[^”]*”/g, '“”')

describe('a text of the service for a person', () => {
  it.each(readdirSync(stories))('shows no id and no other measure than severity: %s', (story) => {
    for (const text of textsOf(story)) {
      const lines = linesForPeople(text).map(ownWords)
      expect(lines.join('\n')).not.toMatch(/(act|ntb)_|_ids|importance|risk|marked as|\(\)|\s[,.:;]|: *$/m)
      expect(lines.length).toBeGreaterThan(0)
    }
  })

  it('keeps who, where, how old, how severe and whether it is blocking', () => {
    const line = `“Alice” is working on “Rework” (${alice}) on branch “a”, begun 2 h ago, before you, naming the same file, “a.ts” (high severity, marked as blocking, of critical risk).`
    expect(linesForPeople(`${line}\n`)).toEqual([
      '“Alice” is working on “Rework” on branch “a”, begun 2 h ago, before you, naming the same file, “a.ts” (high severity, blocking).',
    ])
  })

  it('keeps the number of a pull request', () => {
    expect(linesForPeople(`Talk to “bob” (#12, ${bob}) before you start.\nSee also ${alice} and ${bob}.\n`)).toEqual([
      'Talk to “bob” (#12) before you start.',
    ])
  })

  it('keeps what other people wrote', () => {
    const title = `“Fix (${alice}) (low severity, of high risk)”`
    expect(linesForPeople(`Read ${title} (ntb_0freeze0000000000000000000) first.`)).toEqual([`Read ${title} first.`])
  })

  it('names other work that it is stacked with, without ids', () => {
    const stacked = `You are stacked with ${alice} and ${bob}: what is built on a branch is rebased when that branch changes.`
    expect(linesForPeople(stacked)).toEqual([
      'You are stacked with other work: what is built on a branch is rebased when that branch changes.',
    ])
  })
})
