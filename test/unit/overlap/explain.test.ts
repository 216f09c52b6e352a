import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Overlap } from '../../../src/core/schemas/overlap.ts'

const folder = new URL('../../fixtures/overlap/', import.meta.url)
const results = readdirSync(folder).map((story) => {
  const text = readFileSync(new URL(`${story}/result.json`, folder), 'utf8')
  return { story, overlap: Overlap.strict().parse(JSON.parse(text)) }
})

/** Without what other people wrote. */
const ownWords = (text: string) => text.replace(/“[^”]*”/g, '“”')

describe.each(results)('the response of $story', ({ story, overlap }) => {
  const { reason, recommended_action: action, messages } = overlap
  const idsOf = (...kinds: string[]) => messages.filter(({ kind }) => kinds.includes(kind)).flatMap(({ ids }) => ids)

  it('has its messages as two texts, of lines without hidden characters', () => {
    const joined = (isAdvice: boolean) =>
      messages.flatMap(({ kind, text }) => ((kind === 'advice') === isAdvice ? text : [])).join('\n')
    expect({ reason, action }).toEqual({ reason: joined(false), action: joined(true) })
    for (const text of [reason, action]) {
      expect(text).toMatch(/^\S[^\n]*\.(\n\S[^\n]*\.)*$/)
      expect(text.replaceAll('\n', '')).not.toMatch(
        /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200f\u2060\ufeff\u{e0000}-\u{e007f}]/u,
      )
    }
  })

  it('has no id in its own words, and no other measure than the severity', () => {
    expect(ownWords(`${reason}\n${action}`)).not.toMatch(
      /(act|ntb)_|_ids|importance|risk|marked as|\(\)|\s[,.:;]|: *$/m,
    )
  })

  it('quotes the text of others so that it cannot end the quotation', () => {
    for (const { text } of messages) expect(text.replace(/“[^“”]{1,80}”/gu, '')).not.toMatch(/[“”]/)
  })

  it('says "go ahead" where it is clear, and only there', () => {
    expect(/go ahead/i.test(ownWords(action))).toBe(overlap.clear)
    expect(/go ahead/i.test(ownWords(reason))).toBe(false)
    expect(overlap.clear).toBe(overlap.obstacles.length === 0)
    if (overlap.clear) expect(overlap.overlap_detected).toBe(false)
  })

  it('never says that all is clear where others change files in the named paths', () => {
    if (!reason.includes('Others change files in these paths: ')) return
    expect(reason).not.toMatch(/^Nothing (recorded|open)/m)
    // Nobody waits for strangers alone.
    if (!story.startsWith('stranger')) expect(overlap.obstacles).toContain('wide_paths')
  })

  it('describes at most five overlaps with the worst of each kind, counts the others, and names the severity', () => {
    const related = [...overlap.related_activity_ids, ...overlap.related_notable_ids]
    const told = idsOf('collision', 'notable')
    expect(told).toEqual(expect.arrayContaining(overlap.collisions.map(({ activity_id }) => activity_id)))
    expect(overlap.notables.map(({ id }) => id)).toEqual([
      ...overlap.related_notable_ids,
      ...overlap.repository_notable_ids,
    ])
    // One line is about all pull requests of a stranger, and the advice is about members.
    if (overlap.collisions.some(({ outside }) => outside)) return
    const advised = idsOf('advice')
    expect(told).toHaveLength(Math.min(5, related.length))
    // The advice points to those too that the reason only counts.
    expect(advised).toEqual(expect.arrayContaining(told))
    for (const [worst] of [overlap.related_activity_ids, overlap.related_notable_ids])
      if (worst !== undefined) expect(told).toContain(worst)
    if (related.length > 5) expect(reason).toContain(`${related.length - 5} more`)
    const other = [overlap.expected_activity_ids, overlap.repository_notable_ids].flatMap((ids) => ids.slice(0, 5))
    expect(advised).toEqual(expect.arrayContaining(other))
    if (overlap.severity) expect(reason).toContain(`${overlap.severity} severity`)
  })
})
