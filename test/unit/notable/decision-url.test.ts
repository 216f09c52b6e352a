import { describe, expect, it } from 'vitest'
import { Notable, NotableUpdate } from '../../../src/core/schemas/notable.ts'

describe('a decision_url', () => {
  it.each([
    'https://example.com',
    'HTTPS://Example.com/a%20b?x=1#y',
    'http://[::1]:8080/x?y#z',
    "https://example.com/?'onclick=x",
    "https://xn--mller-kva.example:8443/-._~!$&'()*+,;=:@/?q=/?#/?",
  ])('may be %s, and stays as it is', (decision_url) => {
    expect(NotableUpdate.parse({ decision_url })).toEqual({ decision_url })
  })

  it.each([
    'https://example.com/"><script>',
    'https://exa"mple.com/',
    'https://example.com/<a>',
    'https://example.com/{a}',
    'https://example.com/a|b',
    'https://example.com/a^b`',
    'https://example.com/?a[]=1',
    'https://example.com/%zz',
    'https://example.com/#a#b',
    'https://example.com/ä',
    'https://[::1/',
    'https://example.com:99999/',
    'https:///a',
  ])('that is no URI is refused: %s', (decision_url) => {
    const { error } = NotableUpdate.safeParse({ decision_url })
    expect(error?.issues.map(({ path }) => path)).toEqual([['decision_url']])
  })

  it('of a record that is saved already is shown whatever it is', () => {
    const saved = 'https://example.com/"><script>'
    expect(Notable.shape.decision_url.parse(saved)).toBe(saved)
  })
})
