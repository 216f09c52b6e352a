import { describe, expect, it } from 'vitest'
import { nearTo } from '../../../src/scope/near.ts'
import { type GlobTexts, globTexts, nearGlobs } from '../../../src/scope/near-globs.ts'

const textsOf = (known: GlobTexts, keys: string[]) => nearGlobs(known, nearTo(keys)).map(({ text }) => text)

describe('the globs of a list that could meet', () => {
  it('are those near, in their order, and for every question anew', () => {
    const texts = globTexts(['src/auth/**', 'docs/*.md', '**/x.ts', 'src/{auth,web}/*', 'src/auth/x.ts'])
    for (let times = 0; times < 2; times++) {
      expect(textsOf(texts, ['src/auth/'])).toEqual(['src/auth/**', '**/x.ts', 'src/{auth,web}/*', 'src/auth/x.ts'])
      expect(textsOf(texts, ['docs/'])).toEqual(['docs/*.md', '**/x.ts'])
      expect(textsOf(texts, [])).toEqual([])
    }
  })

  it('leave out what is no glob of the dialect, each time', () => {
    const texts = globTexts(['src/../a', 'src/{a', 'src/a'])
    for (let times = 0; times < 2; times++) expect(textsOf(texts, ['src/'])).toEqual(['src/a'])
  })
})
