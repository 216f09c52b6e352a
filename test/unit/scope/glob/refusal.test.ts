import { describe, expect, it } from 'vitest'
import { countAlternatives, parseGlob } from '../../../../src/core/scope/glob/glob.ts'

const faultOf = (text: string) => {
  const [parsed, counted] = [parseGlob(text), countAlternatives(text)]
  // Stored globs have wider limits of their braces.
  if (!parsed.ok || counted.ok) expect(counted.ok).toBe(parsed.ok)
  if (!parsed.ok && !counted.ok && parsed.fault.position !== null) expect(counted.fault).toEqual(parsed.fault)
  return counted.ok ? null : counted.fault
}

/** Eight alternatives of one character. */
const eight = '{a,b,c,d,e,f,g,g}'

const refusals: [what: string, glob: string, position: number | null, says: RegExp][] = [
  ['an empty glob', '', 0, /empty.*src\//],
  ['an alternative that is empty', '{,a}', 0, /alternative empty/],
  ['an alternative that is empty at the end', '{a,}', 0, /alternative empty/],
  ['an empty alternative that several braces make', '{a,}{b,}', 0, /alternative empty/],
  ['an empty alternative of nested braces', '{a,{b,}}', 3, /alternative empty/],
  ['a .. segment', 'src/../a', 4, /root of the repository/],
  ['a .. segment alone', '..', 0, /root of the repository/],
  ['a .. segment after an astral character', '😀/..', 2, /root of the repository/],
  ['a .. segment in a list', 'a/{b,..}/c', 5, /root of the repository/],
  ['a .. segment that expansion makes', 'a/.{b,.}', 2, /root of the repository/],
  ['a .. segment from two braces', '{a,.}{b,.}', 3, /root of the repository/],
  ['a leading !', '!src/a.ts', 0, /no exceptions.*\\!/],
  ['an extended glob', 'src/@(a|b).ts', 4, /"@\(".*\{a,b\}.*"@\\\("/],
  ['an extended glob with ?', 'a?(b)', 1, /extended glob/],
  ['an extended glob with +', '+(b)', 0, /extended glob/],
  ['an extended glob with *', 'a/**(b)', 3, /extended glob/],
  ['an extended glob with !', '!(b)', 0, /extended glob.*"\\!\\\("/],
  ['an extended glob behind a bracket that is none', '[a?(b)', 2, /extended glob/],
  ['an extended glob behind a class', '[a]?(b)', 3, /extended glob/],
  ['a dangling backslash', 'src/a\\', 5, /Nothing follows the backslash/],
  ['a backslash before a letter', 'src\\auth', 3, /"\\a" is no escape.*Paths use "\/"/],
  ['a backslash before a slash', 'src\\/auth', 3, /"\\\/" is no escape/],
  ['a backslash before a dot', 'a/\\.b', 2, /"\\\." is no escape/],
  ['an unclosed {', 'src/{a,b', 4, /never closed.*\\\{/],
  ['the outermost of unclosed {', 'a{b,{c,{d}', 1, /never closed/],
  ['an unclosed { behind a closed one', '{a,b}/{c', 6, /never closed/],
  ['a { closed by an escaped } alone', '{a\\}', 0, /never closed/],
  ['a range with padding', 'a{01..10}', 1, /without padding, \{1\.\.9\}/],
  ['a range of negative numbers', '{-1..1}', 0, /range/],
  ['a range of letters of two cases', '{a..Z}', 0, /range/],
  ['a range with a step', '{1..9..2}', 0, /range/],
  ['a range of words', '{aa..bb}', 0, /range/],
  ['a range from a letter to a number', '{a..9}', 0, /range/],
  ['a range without an end', '{a..}', 0, /range/],
  ['three dots in braces', 'app/{...slug}', 4, /range/],
  ['an odd range beside braces', '{a..{b,c}}', 0, /range/],
  ['an odd range within a list', '{x,{a..}}', 3, /range/],
  ['a range of over 64', '{1..65}', null, /over 64 alternatives/],
  ['a range beyond all numbers', '{1..99999999999999999999999}', null, /over 64 alternatives/],
  ['65 alternatives', `{${'a,'.repeat(64)}a}`, null, /over 64 alternatives/],
  ['over 64 alternatives', '{a,b,c}'.repeat(4), null, /over 64 alternatives/],
  ['very many alternatives', '{1..99}'.repeat(146), null, /over 64 alternatives/],
  ['over 1,024 characters', 'a'.repeat(1025), null, /1025 characters, at most 1024/],
  ['over 1,024 characters, an escape counting two', '\\*'.repeat(513), null, /1026 characters/],
  ['over 2,048 characters in all alternatives', `${eight}${'x'.repeat(256)}`, null, /over 2048 characters/],
  ['2,048 characters with what cleaning drops', `./${eight}${'x'.repeat(254)}`, null, /over 2048 characters/],
]

describe('a glob is refused, with its position and what to write instead, for', () => {
  it.each(refusals)('%s: %s', (_, glob, position, says) => {
    expect(faultOf(glob)).toEqual({ position, message: expect.stringMatching(says) })
  })
})

const taken: [what: string, glob: string][] = [
  ['an escaped !', '\\!src'],
  ['an escaped ! before an escaped parenthesis', '\\!\\(b)'],
  ['a ! that is not the first character', 'src/!a'],
  ['a ! that braces put first', '{!a,b}'],
  ['an escaped parenthesis', 'src/@\\(a\\)'],
  ['an escaped sign before a parenthesis', 'a\\?(b)'],
  ['a sign within a class before a parenthesis', '[?(]'],
  ['parentheses', 'app/(shop)/(.)photo/(..)a'],
  ['a sign that braces put before a parenthesis', '{?,a}(b)'],
  ['a sign behind a class that ends before a parenthesis', '[@](a)'],
  ['dots within a name', 'a..b/...c/d..'],
  ['dots in a list', '{a..b,c}'],
  ['a range within literal braces', '{{1..3}}'],
  ['braces with one name', '{a}'],
  ['empty braces', '{}'],
  ['a lone } and ,', 'a},b'],
  ['an empty option beside something', 'a{,b}'],
  ['64 alternatives', '{1..64}'],
  ['1,024 characters', 'a'.repeat(1024)],
  ['1,024 astral characters', '😀'.repeat(1024)],
  ['2,048 characters in all alternatives', `${eight}${'x'.repeat(255)}`],
  ['2,048 characters, an escape counting one', `${eight}${'x'.repeat(244)}${'\\*'.repeat(11)}`],
  ['2,048 astral characters in all alternatives', `${eight}${'😀'.repeat(255)}`],
]

describe('a glob is not refused for', () => {
  it.each(taken)('%s: %s', (_, glob) => {
    expect(faultOf(glob)).toBeNull()
  })
})

describe('the message about a backslash', () => {
  it('says that paths use / where the glob has none', () => {
    expect(faultOf('src\\auth')?.message).toContain('Paths use "/"')
    expect(faultOf('src\\')?.message).toContain('Paths use "/"')
  })

  it('does not where it has one', () => {
    expect(faultOf('src/a\\b')?.message).not.toContain('Paths use')
  })
})

describe('a glob that was stored under wider limits', () => {
  const [many, long] = [parseGlob('src/{1..256}.ts'), parseGlob(`${eight}${'x'.repeat(511)}`)]

  it('is still read with all of its alternatives', () => {
    expect(many.ok && many.glob.patterns.length).toBe(256)
    expect(long.ok && long.glob.patterns.length).toBe(8)
    expect(parseGlob('{1..257}').ok).toBe(false)
    expect(parseGlob(`${eight}${'x'.repeat(512)}`).ok).toBe(false)
  })
})

describe('the number of alternatives', () => {
  it('counts duplicates', () => {
    expect(countAlternatives('{a,a,b}{,c}')).toEqual({ ok: true, count: 6 })
    expect(countAlternatives('src/**/*.ts')).toEqual({ ok: true, count: 1 })
  })
})
