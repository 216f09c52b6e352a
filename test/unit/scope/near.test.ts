import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globsMeet } from '../../../src/scope/glob-meet.ts'
import { literalBeginning, nearTo } from '../../../src/scope/near.ts'
import { pathKeys } from '../../../src/scope/scope-key.ts'
import { glob, simplePath } from './glob-samples.ts'
import { read } from './read.ts'

const some = fc.oneof(glob, simplePath)

describe('what a glob begins with, at a glance', () => {
  it.each([
    ['src/a.ts', 'src/a.ts/'],
    ['src/', 'src/'],
    ['src/a*/b', 'src/'],
    ['src/{a,b}/c', 'src/'],
    ['app/[id]/page.tsx', 'app/'],
    ['a\\*b/c', ''],
    ['*.md', ''],
    ['./src/a', ''],
    ['/src', ''],
    ['src//a', ''],
    ['src/./a', ''],
    ['src/.', ''],
    ['.github/x', '.github/x/'],
  ])('of %s is %j', (text, beginning) => {
    expect(literalBeginning(text)).toBe(beginning)
  })

  it('lets no glob go that could meet', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [x, y] = [read(a), read(b)]
        if (globsMeet(x, y)) expect(nearTo(pathKeys([x]).map(({ key }) => key))(b)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it('lets go of what lies elsewhere', () => {
    const near = nearTo(['src/auth/', 'docs/'])
    expect(['src/auth/x.ts', 'src/**', '**', 'docs', 'docs/a/b'].filter(near)).toHaveLength(5)
    expect(['src/authors/x.ts', 'src/billing/**', 'web', 'doc/a'].filter(near)).toEqual([])
  })
})
