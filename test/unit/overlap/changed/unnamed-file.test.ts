import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directoryNamed, mayBeNamed, type NamingSide } from '../../../../src/core/rules/changed/unnamed-file.ts'
import { parseGlob } from '../../../../src/core/scope/glob/glob.ts'

const side: fc.Arbitrary<NamingSide> = fc.record({
  kind: fc.constantFrom('added', 'removed', 'modified'),
  hidesWords: fc.boolean(),
})
const invented: NamingSide = { kind: 'added', hidesWords: true }

describe('a path that texts may name', () => {
  it('is one that somebody of the project changes, or that is on the base', () => {
    fc.assert(
      fc.property(
        fc.array(side),
        fc.constantFrom<NamingSide>(
          { kind: 'added', hidesWords: false },
          { kind: 'modified', hidesWords: true },
          { kind: 'removed', hidesWords: true },
        ),
        (sides, known) => mayBeNamed([...sides, known]),
      ),
    )
  })

  it('is none that outsiders alone add, however many they are', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 5 }), (count) => !mayBeNamed(Array(count).fill(invented))))
  })
})

describe('the directory above a new file', () => {
  const patternsOf = (...globs: string[]) =>
    globs.flatMap((glob) => {
      const parsed = parseGlob(glob)
      return parsed.ok ? parsed.glob.patterns : []
    })

  it.each([
    [['lib/a*.ts'], 'lib'],
    [['lib/**', 'lib/INVENTED/a*', 'docs/**'], 'lib/INVENTED'],
    [['li*/**'], null],
    [['**/*.ts'], null],
    [['l{ib,og}/**'], 'lib'],
  ])('is the deepest that the globs %j spell out', (globs, directory) => {
    expect(directoryNamed('lib/INVENTED/a.ts', patternsOf(...globs))).toBe(directory)
  })
})
