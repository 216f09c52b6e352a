import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGivenPaths } from '../../../src/cli/git/given-paths.ts'
import { newDirectory } from '../../support/command-line.ts'
import { newTree, type TestTree } from './test-tree.ts'

describe('§14 named paths', () => {
  const given = async (tree: TestTree, cwd: string, ...paths: string[]) =>
    readGivenPaths(await tree.open(), cwd, paths, ['removed.ts'])

  function treeWithFiles(): TestTree {
    const tree = newTree()
    mkdirSync(join(tree.path, 'app/[id]'), { recursive: true })
    for (const name of ['app/[id]/page.tsx', 'app/x.ts', 'app/{a}.ts', 'new.ts']) tree.write(name, 'x\n')
    tree.write('.gitignore', 'dist\n')
    tree.write('dist', 'x\n')
    return tree
  }

  it('are relative to the working directory, and a directory ends with a slash', async () => {
    const tree = treeWithFiles()
    const app = join(tree.path, 'app')
    expect(await given(tree, app, 'x.ts', '../a.ts', '.', '../new.ts', './', 'x.ts')).toEqual({
      globs: ['app/x.ts', 'a.ts', 'app/', 'new.ts'],
      unknown: [],
    })
    expect(await given(tree, tree.path, '.', join(app, 'x.ts'), 'removed.ts')).toEqual({
      globs: ['**', 'app/x.ts', 'removed.ts'],
      unknown: [],
    })
  })

  it('mean a file before they mean a glob', async () => {
    const tree = treeWithFiles()
    const { globs, unknown } = await given(tree, tree.path, 'app/[id]/page.tsx', 'app/{a}.ts', 'app/*.ts')
    expect(globs).toEqual(['app/\\[id\\]/page.tsx', 'app/\\{a\\}.ts', 'app/*.ts'])
    expect(unknown).toEqual([])
    expect(await given(tree, join(tree.path, 'app/[id]'), '*.tsx', '../*.ts', '*.css')).toEqual({
      globs: ['app/\\[id\\]/*.tsx', 'app/*.ts', 'app/\\[id\\]/*.css'],
      unknown: ['*.css'],
    })
  })

  it('are not known where git does not know them, and those outside are refused', async () => {
    const tree = treeWithFiles()
    expect((await given(tree, tree.path, 'aa.ts', 'dist', 'lib/', 'APP/x.ts')).unknown).toEqual([
      'aa.ts',
      'dist',
      'lib/',
      'APP/x.ts',
    ])
    await expect(given(tree, tree.path, '../x')).rejects.toMatchObject({ exitCode: 2 })
  })

  it('are spelled as git does where the file system does not tell cases apart', async () => {
    const tree = treeWithFiles()
    tree.git('config', 'core.ignorecase', 'true')
    expect(await given(tree, tree.path, 'APP/X.ts', 'App')).toEqual({ globs: ['app/x.ts', 'app/'], unknown: [] })
  })

  it('are not known where a glob takes too long to compare with the files', async () => {
    const tree = newTree()
    const deep = Array.from({ length: 20 }, (_, at) => `${at}/${`${'a'.repeat(200)}/`.repeat(15)}x`)
    const glob = `**/${'*a'.repeat(60)}b*/**`
    expect(await readGivenPaths(await tree.open(), tree.path, [glob], deep)).toEqual({ globs: [glob], unknown: [glob] })
  })

  it('may lead through a link to the work tree', async () => {
    const tree = treeWithFiles()
    const link = join(newDirectory(), 'link')
    symlinkSync(tree.path, link)
    expect((await given(tree, join(link, 'app'), 'x.ts', join(link, 'a.ts'))).globs).toEqual(['app/x.ts', 'a.ts'])
  })
})
