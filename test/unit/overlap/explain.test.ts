import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Overlap } from '../../../src/overlap/schema.ts'

const folder = new URL('../../fixtures/overlap/', import.meta.url)
const results = readdirSync(folder).map((story) => {
  const text = readFileSync(new URL(`${story}/result.json`, folder), 'utf8')
  return { story, overlap: Overlap.strict().parse(JSON.parse(text)) }
})

describe.each(results)('the answer of $story', ({ overlap }) => {
  const { reason, recommended_action: action } = overlap

  it('says something in both texts, on one line without unseen characters', () => {
    for (const text of [reason, action]) {
      expect(text).toMatch(/\S.*[.]$/)
      expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
    }
  })

  it('names the first five records of each kind, and how bad it is', () => {
    const counted = [overlap.related_activity_ids, overlap.related_notable_ids].flatMap((ids) => ids.slice(0, 5))
    for (const id of counted) for (const text of [reason, action]) expect(text).toContain(id)
    const other = [overlap.expected_activity_ids, overlap.repository_notable_ids].flatMap((ids) => ids.slice(0, 5))
    for (const id of other) expect(action).toContain(id)
    if (overlap.severity) expect(reason).toContain(`${overlap.severity} severity`)
  })
})
