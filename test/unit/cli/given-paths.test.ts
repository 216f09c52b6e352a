import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { givenGlob } from '../../../src/cli/given-paths.ts'

const top = mkdtempSync(join(tmpdir(), 'headsup-given-'))
const below = join(top, 'src')
mkdirSync(below)
writeFileSync(join(below, 'a{b}.ts'), '')
afterAll(() => rmSync(top, { recursive: true }))

describe('a path that a person names', () => {
  it.each([
    ['.', below, 'src/**'],
    ['a{b}.ts', below, 'src/a\\{b\\}.ts'],
    ['*.ts', below, 'src/*.ts'],
    ['/docs/*.md', below, 'docs/*.md'],
    ['/', below, '**'],
    ['.', top, '**'],
    ['../docs', below, 'docs'],
  ])('%s is a glob from the top', (text, cwd, glob) => {
    expect(givenGlob(text, { top, cwd })).toBe(glob)
  })

  it('is refused where it is empty, as an unset variable is', () => {
    expect(() => givenGlob('', { top, cwd: top })).toThrow('A path is empty.')
  })

  it('is refused outside of the work tree', () => {
    expect(() => givenGlob('../../x', { top, cwd: below })).toThrow('outside of the work tree')
  })
})
