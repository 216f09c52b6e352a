import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleParts, visibleText } from '../../../src/page/model/visible-text.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'

it.each([
  ['a control', 'a\u0007b', 'a[U+0007]b'],
  ['a line break', 'a\nb', 'a[LF]b'],
  ['an override of the direction', 'login\u202Egpj.exe', 'login[U+202E]gpj.exe'],
  ['an isolate', '\u2066x\u2069', '[U+2066]x[U+2069]'],
  ['a character of no width', 'a\u200Bb', 'a[U+200B]b'],
  ['a tag character', 'a\u{E0041}', 'a[U+E0041]'],
  ['a lone surrogate', 'a\uD800', 'a[U+D800]'],
  ['an escape', '\u001B[31m', '[ESC][31m'],
])('shows %s by its name', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it.each(['Größe', 'ログイン', 'تسجيل الدخول', '👩‍🚀', '❤️ it'])('leaves %s as it is', (text) => {
  expect(visibleParts(text)).toEqual([{ text, isHidden: false }])
})

it('shows nothing invisible, and loses no visible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const parts = visibleParts(text)
      const seen = parts.flatMap((part) => (part.isHidden ? [] : part.text)).join('')
      const hidden = parts.filter(({ isHidden }) => isHidden).length
      expect(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(seen)).toBe(false)
      expect([...seen].length + hidden).toBe([...text].length)
    }),
  )
})
