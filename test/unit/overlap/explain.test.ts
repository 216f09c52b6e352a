import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Overlap } from '../../../src/overlap/schema.ts'

const folder = new URL('../../fixtures/overlap/', import.meta.url)
const results = readdirSync(folder).map((story) => {
  const text = readFileSync(new URL(`${story}/result.json`, folder), 'utf8')
  return { story, overlap: Overlap.strict().parse(JSON.parse(text)) }
})

describe.each(results)('the response of $story', ({ story, overlap }) => {
  const { reason, recommended_action: action } = overlap

  it('has two texts whose lines end with a line feed and hold no hidden characters', () => {
    for (const text of [reason, action]) {
      expect(text).toMatch(/^(\S[^\n]*[.]\n)+$/)
      expect(text.replaceAll('\n', '')).not.toMatch(
        /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b-\u200f\u2060\ufeff\u{e0000}-\u{e007f}]/u,
      )
    }
  })

  it('quotes the text of others so that it cannot end the quotation', () => {
    for (const line of [reason, action].flatMap((text) => text.split('\n'))) {
      expect(line.replace(/“[^“”]{1,80}”/gu, '')).not.toMatch(/[“”]/)
    }
  })

  it('never says that all is clear where others change files in the named paths', () => {
    if (!reason.includes('Others change files in these paths: ')) return
    expect(reason).not.toMatch(/^Nothing (recorded|open)/m)
    // Nobody waits for strangers alone.
    if (!story.startsWith('stranger')) expect(action).not.toMatch(/go ahead/i)
  })

  it('describes at most five overlaps with the worst of each kind, counts the others, and names the severity', () => {
    const related = [...overlap.related_activity_ids, ...overlap.related_notable_ids]
    // One line is about all pull requests of a stranger, and the advice is about members.
    if (overlap.collisions.some(({ outside }) => outside)) {
      for (const { activity_id } of overlap.collisions) expect(reason).toContain(activity_id)
      expect(action).toContain(overlap.collisions[0]?.activity_id)
      return
    }
    for (const text of [reason, action]) {
      const described = related.filter((id) => text.includes(id))
      expect(described).toHaveLength(Math.min(5, related.length))
      for (const [worst] of [overlap.related_activity_ids, overlap.related_notable_ids])
        expect(text).toContain(worst ?? '')
      if (related.length > 5) expect(text).toContain(`${related.length - 5} more`)
    }
    const other = [overlap.expected_activity_ids, overlap.repository_notable_ids].flatMap((ids) => ids.slice(0, 5))
    for (const id of other) expect(action).toContain(id)
    if (overlap.severity) expect(reason).toContain(`${overlap.severity} severity`)
  })
})
