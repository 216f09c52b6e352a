import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collisionPlace } from '../../../src/page/model/collisions.ts'
import { foldQuiet, type PlaceNode, placeTree } from '../../../src/page/model/place-tree.ts'
import { mayConcern, placesOfGlob, segmentsOf } from '../../../src/page/model/places.ts'
import { escapeGlob } from '../../../src/scope/glob/escape.ts'
import { activity, pair } from './records.ts'

const shown = (glob: string) =>
  placesOfGlob(glob).map(({ segments, isFile }) => segments.join('/') + (isFile ? '' : '/'))

describe('the places of a glob', () => {
  it.each([
    ['src/auth/**', ['src/auth/']],
    ['src/auth', ['src/auth/']],
    ['src/a.ts', ['src/a.ts']],
    ['src/*/session.ts', ['src/']],
    ['src/au*', ['src/']],
    ['**/*.md', ['/']],
    ['{src,test}/**', ['src/', 'test/']],
    ['src/{a,b}.ts', ['src/a.ts', 'src/b.ts']],
    ['app/\\[id\\]/page.tsx', ['app/[id]/page.tsx']],
    ['', []],
  ])('%s begins at %j', (glob, places) => {
    expect(shown(glob)).toEqual(places)
  })

  it('is the file itself for every escaped path with an extension', () => {
    const name = fc.stringMatching(/^[a-z*?[\]{},!()]{1,6}$/)
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const path = `${names.join('/')}.ts`
        expect(shown(escapeGlob(path))).toEqual([path])
      }),
    )
  })

  it('has at most 64 for one glob', () => {
    expect(shown('src/{1..200}/**')).toHaveLength(64)
  })
})

describe('the filter by path', () => {
  it.each([
    ['src/auth/**', 'src', true],
    ['src/auth/**', 'src/auth/login.ts', true],
    ['src/auth/**', 'src/cart', false],
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/a.ts/x', false],
    ['**/*.md', 'docs', true],
  ])('%s at %s: %s', (glob, path, expected) => {
    expect(placesOfGlob(glob).some((place) => mayConcern(place, path))).toBe(expected)
  })
})

const work = (id: string, ...globs: string[]) => ({ id, places: globs.flatMap(placesOfGlob) })

const place = (path: string) => ({ segments: segmentsOf(path), isFile: true })

function outline({ name, count, collisions, children }: PlaceNode): unknown {
  return children.length > 0 ? [name, count, collisions, children.map(outline)] : [name, count, collisions]
}

describe('the tree of places', () => {
  it('joins single directories, and puts collisions and busy places first', () => {
    const tree = placeTree(
      [
        work('1', 'src/auth/login/**'),
        work('2', 'src/auth/login/form.ts'),
        work('3', 'src/cart/**'),
        work('4', 'docs/**'),
      ],
      [{ place: place('src/cart/total.ts'), ids: ['3', 'x'] }],
    )
    expect(tree.children.map(outline)).toEqual([
      [
        'src/',
        3,
        1,
        [
          ['cart/', 1, 1, [['total.ts', 1, 1]]],
          ['auth/login/', 2, 0, [['form.ts', 1, 0]]],
        ],
      ],
      ['docs/', 1, 0],
    ])
  })

  it('gives a file that only globs match a row of its own, with all that collide there', () => {
    const tree = placeTree(
      [work('1', 'src/**'), work('2', '**/login.ts'), work('3', 'src/auth/login.ts')],
      [
        { place: place('src/auth/login.ts'), ids: ['1', '2'] },
        { place: place('src/auth/login.ts'), ids: ['2', '3'] },
        { place: place('docs/a.md'), ids: ['unknown', 'other'] },
      ],
    )
    expect(tree.collisions).toBe(3)
    expect(tree.children.map(outline)).toEqual([['src/', 3, 2, [['auth/login.ts', 3, 2]]]])
  })

  it('counts an activity once in each place, however many globs lead there', () => {
    expect(placeTree([work('1', 'src/a/**', 'src/b/**', 'src/*')], []).children.map(outline)).toEqual([
      [
        'src/',
        1,
        0,
        [
          ['a/', 1, 0],
          ['b/', 1, 0],
        ],
      ],
    ])
  })

  it('counts in no place more than in the place above, and names each path once', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'))
    const ids = fc.array(fc.nat({ max: 7 }).map(String), { maxLength: 2 })
    const met = fc.record({ segments: path.map(segmentsOf), isFile: fc.boolean() })
    const meeting = fc.record({ place: met, ids })
    const glob = fc.tuple(path, fc.constantFrom('', '/**', '.ts', '/*.ts')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.array(fc.array(glob, { maxLength: 3 }), { maxLength: 6 }),
        fc.array(meeting),
        (globs, collisions) => {
          const root = placeTree(
            globs.map((list, n) => work(String(n), ...list)),
            collisions,
          )
          const seen: string[] = []
          const check = (node: PlaceNode) => {
            for (const child of node.children) {
              expect(child.count).toBeGreaterThan(0)
              expect(child.count).toBeLessThanOrEqual(node.count)
              expect(child.collisions).toBeLessThanOrEqual(node.collisions)
              expect(child.path.startsWith(node.path)).toBe(true)
              seen.push(child.path)
              check(child)
            }
          }
          check(root)
          expect(new Set(seen).size).toBe(seen.length)
        },
      ),
    )
  })

  it('folds places of one without collisions, but never a single line', () => {
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `${n}/`, path: `${n}/`, count: 1, collisions: 0, children: [] }))
    expect(foldQuiet(nodes(3), 2)).toMatchObject({ folded: [] })
    expect(foldQuiet(nodes(9), 2).folded).toHaveLength(7)
  })
})

describe('where two activities collide', () => {
  const at = (example_path: string | null, newer: string, earlier: string, lines: [number, number][] | null = null) => {
    const of = (glob: string) => activity({ scope: { areas: [], paths: [glob] } })
    const found = collisionPlace({
      key: '',
      pair: pair({ example_path, lines }),
      newer: of(newer),
      earlier: of(earlier),
    })
    return found && found.segments.join('/') + (found.isFile ? '' : '/')
  }

  it('is a file that one of them names, or whose lines both change', () => {
    expect(at('src/auth/login.ts', 'src/**', '**/login.ts')).toBe('src/auth/login.ts')
    expect(at('src/[id].ts', 'src/\\[id\\].ts', 'src/**')).toBe('src/[id].ts')
    expect(at('src/auth/login.ts', 'src/**', 'src/auth/**', [[1, 2]])).toBe('src/auth/login.ts')
  })

  it('is a directory where both are globs, and the file is only an example', () => {
    expect(at('src/auth/a', 'src/**', 'src/auth/**')).toBe('src/auth/')
    expect(at('src/a.ts', 'src/*.ts', 'src/**')).toBe('src/')
    expect(at('a.md', '**/*.md', '*')).toBe('/')
    expect(at(null, 'src/**', 'docs/**')).toBeUndefined()
  })
})
