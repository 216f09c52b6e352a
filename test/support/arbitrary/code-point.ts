import fc from 'fast-check'

/** Half of a pair in UTF-16, and no character by itself. */
const surrogates = { first: 0xd800, count: 0x800 }

/** Any code point but surrogates. The unit `binary` of fast-check is the same, with a map of all of them that takes 130 MB. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('not one code point')
    if (point < surrogates.first) return point
    if (point < surrogates.first + surrogates.count) throw new Error('a surrogate')
    return point - surrogates.count
  },
)
