import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventParser, longestEvent } from '../../../src/core/lib/parse-events.ts'

const text =
  'retry: 3000\n\nevent: snapshot\nid: e.1\ndata: {"a":1}\n\n: keep-alive\n\nevent: bye\ndata: {}\n\ndata: x\r\ndata:y\r\n\r\n'

describe('the reader of server-sent events', () => {
  it('reads events, ids, the time to wait, and data of several lines', () => {
    const parser = createEventParser()
    expect(parser.parse(text)).toEqual([
      { event: 'snapshot', id: 'e.1', data: '{"a":1}' },
      { event: 'bye', id: 'e.1', data: '{}' },
      { event: 'message', id: 'e.1', data: 'x\ny' },
    ])
    expect(parser.retryMs()).toBe(3000)
  })

  it('reads the same however the text is cut', () => {
    const whole = createEventParser().parse(text)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length]
        const parser = createEventParser()
        expect(at.slice(1).flatMap((end, n) => parser.parse(text.slice(at[n], end)))).toEqual(whole)
      }),
    )
  })

  it.each(['data: x\n', ': comment\n', 'x'])('throws where an event of %j has no end', (piece) => {
    const parser = createEventParser()
    const pieces = Array.from({ length: 80 }, () => piece.repeat(Math.ceil(longestEvent / 64 / piece.length)))
    expect(() => pieces.map((part) => parser.parse(part))).toThrow('An event is too long.')
  })

  it('reads as many events as come', () => {
    const parser = createEventParser()
    const event = `data: ${'x'.repeat(longestEvent / 4)}\n\n`
    for (let n = 0; n < 8; n++) expect(parser.parse(event)).toHaveLength(1)
  })
})
