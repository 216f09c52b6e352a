import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { givenGlob } from '../../../../src/cli/git/given-paths.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'headsup-given-')))
const top = join(root, 'work')
const link = join(root, 'link')
mkdirSync(top)
symlinkSync(top, link)
const below = join(top, 'src')
mkdirSync(below)
writeFileSync(join(below, 'a{b}.ts'), '')
afterAll(() => rmSync(root, { recursive: true }))

describe('a named path', () => {
  it.each([
    ['.', below, 'src/**'],
    ['a{b}.ts', below, 'src/a\\{b\\}.ts'],
    ['*.ts', below, 'src/*.ts'],
    ['/docs/*.md', below, 'docs/*.md'],
    ['//docs', below, 'docs'],
    ['/', below, '**'],
    [join(below, 'a{b}.ts'), top, 'src/a\\{b\\}.ts'],
    [join(below, 'new', '*.ts'), top, 'src/new/*.ts'],
    [`${join(below, 'new')}/`, top, 'src/new/'],
    [below, top, 'src/**'],
    [top, below, '**'],
    [join(link, 'src'), below, 'src/**'],
    [join(link, 'src', 'new.ts'), below, 'src/new.ts'],
    ['.', top, '**'],
    ['../docs', below, 'docs'],
  ])('%s becomes a glob from the top', (text, cwd, glob) => {
    expect(givenGlob(text, { top, cwd })).toEqual({ glob })
  })

  it('is from the top, with a note, where it is the absolute path of an existing file elsewhere', () => {
    const outside = join(root, 'other.ts')
    const glob = outside.slice(1)
    expect(givenGlob(outside, { top, cwd: below })).toEqual({
      glob,
      note: `${outside} is outside of the work tree ${top}, so it means ${glob} from its top.`,
    })
    mkdirSync(join(top, glob.split('/')[0] ?? ''))
    expect(givenGlob(outside, { top, cwd: below })).toEqual({ glob })
  })

  it('is refused where it is empty, as from an unset variable', () => {
    expect(() => givenGlob('', { top, cwd: top })).toThrow('A path is empty.')
  })

  it.each(['..', '../', '../x', './../x', '../..', '../../x'])('is refused outside of the work tree: %s', (text) => {
    expect(() => givenGlob(text, { top, cwd: top })).toThrow(`${text} is outside of the work tree ${top}.`)
  })
})
