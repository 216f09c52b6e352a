import { describe, expect, it } from 'vitest'
import { countAlternatives, parseGlob } from '../../../../src/scope/glob/glob.ts'

const faultOf = (text: string) => {
  const [parsed, counted] = [parseGlob(text), countAlternatives(text)]
  expect(counted.ok ? null : counted.fault).toEqual(parsed.ok ? null : parsed.fault)
  return parsed.ok ? null : parsed.fault
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
  ['a range of over 256', '{1..257}', null, /over 256 alternatives/],
  ['a range beyond all numbers', '{1..99999999999999999999999}', null, /over 256 alternatives/],
  ['257 alternatives', `{${'a,'.repeat(256)}a}`, null, /over 256 alternatives/],
  ['over 256 alternatives', '{a,b,c}'.repeat(6), null, /over 256 alternatives/],
  ['very many alternatives', '{1..99}'.repeat(146), null, /over 256 alternatives/],
  ['over 1,024 characters', 'a'.repeat(1025), null, /1025 characters, at most 1024/],
  ['over 1,024 characters, an escape counting two', '\\*'.repeat(513), null, /1026 characters/],
  ['over 4,096 characters in all alternatives', `${eight}${'x'.repeat(512)}`, null, /over 4096 characters/],
  ['4,096 characters with what cleaning drops', `./${eight}${'x'.repeat(510)}`, null, /over 4096 characters/],
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
  ['256 alternatives', '{1..256}'],
  ['1,024 characters', 'a'.repeat(1024)],
  ['1,024 astral characters', '😀'.repeat(1024)],
  ['4,096 characters in all alternatives', `${eight}${'x'.repeat(511)}`],
  ['4,096 characters, an escape counting one', `${eight}${'x'.repeat(500)}${'\\*'.repeat(11)}`],
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

describe('the number of alternatives', () => {
  it('counts duplicates', () => {
    expect(countAlternatives('{a,a,b}{,c}')).toEqual({ ok: true, count: 6 })
    expect(countAlternatives('src/**/*.ts')).toEqual({ ok: true, count: 1 })
  })
})
