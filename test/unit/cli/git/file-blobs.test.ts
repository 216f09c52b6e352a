import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBases } from '../../../../src/cli/git/base-branch.ts'
import { plannedChanges } from '../../../../src/cli/git/planned-changes.ts'
import { readChanges } from '../../../../src/cli/git/read-changes.ts'
import { findWorkTree } from '../../../../src/cli/git/work-tree.ts'
import { scratch } from '../../../support/scratch.ts'
import { git } from '../../changes/git.ts'

const by = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']

interface Repository {
  top: string
  git(...args: string[]): string
  write(path: string, text: string): void
  commit(): void
}

/** A repository on the branch `feat`, with these files on `main`. */
async function repository(files: Readonly<Record<string, string>> = {}): Promise<Repository> {
  const top = await scratch()
  const made: Repository = {
    top,
    git: (...args) => git(top, ...by, ...args).out,
    write(path, text) {
      mkdirSync(dirname(join(top, path)), { recursive: true })
      writeFileSync(join(top, path), text)
    },
    commit() {
      made.git('add', '-A')
      made.git('commit', '-qm', 'x', '--allow-empty')
    },
  }
  made.git('init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries(files)) made.write(path, text)
  made.commit()
  made.git('checkout', '-qb', 'feat')
  return made
}

async function treeOf({ top }: Repository) {
  const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const tree = await findWorkTree({ cwd: top, env, signal: new AbortController().signal })
  if (!tree) throw new Error('There is no work tree.')
  const { base } = await findBases(tree, undefined)
  return { tree, base }
}

async function blobsOf(made: Repository): Promise<Record<string, string | null | undefined>> {
  const { tree, base } = await treeOf(made)
  const { files } = await readChanges(tree, base, 60_000)
  return Object.fromEntries(files.map(({ path, blob }) => [path, blob]))
}

/** The objects that the repository has. */
function objectsIn({ top }: Repository): string[] {
  return readdirSync(join(top, '.git/objects'), { recursive: true }).map(String).sort()
}

describe('the blobs of changed files', () => {
  it('are those that git would store, of committed, staged, changed and untracked files; nothing is stored', async () => {
    const names = ['committed.txt', 'staged.txt', 'changed.txt', 'crlf.txt', 'gone.txt', 'old.txt']
    const made = await repository({
      ...Object.fromEntries(names.map((name) => [name, `${name}\n${'line\n'.repeat(20)}`])),
      '.gitattributes': 'crlf.txt text\n',
    })
    made.write('committed.txt', 'x\n')
    made.git('mv', 'old.txt', 'new.txt')
    made.commit()
    made.write('staged.txt', 'y\n')
    made.git('add', 'staged.txt')
    made.write('changed.txt', 'z\n')
    made.write('crlf.txt', 'a\r\nb\r\n')
    made.write('sub/untracked é.txt', 'new\n')
    rmSync(join(made.top, 'gone.txt'))
    const before = objectsIn(made)
    const blobs = await blobsOf(made)
    expect(objectsIn(made)).toEqual(before)
    made.git('add', '-A')
    const stored = (path: string) => made.git('rev-parse', `:${path}`).trim()
    const paths = ['changed.txt', 'committed.txt', 'crlf.txt', 'new.txt', 'staged.txt', 'sub/untracked é.txt']
    expect(blobs).toEqual({ ...Object.fromEntries(paths.map((path) => [path, stored(path)])), 'gone.txt': null })
  })

  it('are not known of files with a filter, and the filter of an untracked one does not run', async () => {
    const made = await repository({ '.gitattributes': '*.bin filter=lfs\n', 'a.bin': 'a', 'b.bin': 'b', 'c.txt': 'c' })
    for (const path of ['a.bin', 'b.bin', 'c.txt']) made.write(path, `${path} changed`)
    made.git('add', 'a.bin')
    made.commit()
    made.write('b.bin', 'again')
    made.write('new.bin', 'new')
    // Set up after the commits. git itself runs a filter for what it compares.
    const [filter, ran] = [join(made.top, '.git/filter'), join(made.top, '.git/ran')]
    writeFileSync(filter, `#!/bin/sh\necho "$1" >>'${ran}'\nexec cat\n`, { mode: 0o755 })
    made.git('config', 'filter.lfs.clean', `'${filter}' %f`)
    const blobs = await blobsOf(made)
    expect(blobs).toEqual({ 'a.bin': undefined, 'b.bin': undefined, 'new.bin': undefined, 'c.txt': expect.any(String) })
    expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').not.toContain('new.bin')
    made.git('add', 'new.bin')
    expect(readFileSync(ran, 'utf8')).toContain('new.bin')
  })

  it('are not known of links, of files with another mode, of new executable ones, of odd names and large files', async () => {
    const made = await repository({ 'mode.sh': 'x\n', 'link.txt': 'x\n', 'dirty.sh': 'x\n' })
    chmodSync(join(made.top, 'mode.sh'), 0o755)
    made.write('mode.sh', 'y\n')
    made.commit()
    chmodSync(join(made.top, 'dirty.sh'), 0o755)
    made.write('run.sh', 'x\n')
    chmodSync(join(made.top, 'run.sh'), 0o755)
    rmSync(join(made.top, 'link.txt'))
    symlinkSync('mode.sh', join(made.top, 'link.txt'))
    symlinkSync('mode.sh', join(made.top, 'new-link.txt'))
    made.write('two\nlines.txt', 'x\n')
    made.write('"quoted.txt', 'x\n')
    made.write('large.txt', 'x'.repeat(8 * 1024 * 1024 + 1))
    made.write('plain.txt', 'x\n')
    const { 'plain.txt': plain, ...others } = await blobsOf(made)
    expect(plain).toBe(made.git('hash-object', 'plain.txt').trim())
    expect(Object.keys(others)).toHaveLength(8)
    expect(Object.values(others).every((blob) => blob === undefined)).toBe(true)
  })

  it('are not known of a file that an edit will change', async () => {
    const made = await repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    made.write('a.txt', 'A\n')
    made.write('b.txt', 'B\n')
    made.write('new.txt', 'new\n')
    const { tree, base } = await treeOf(made)
    const edits = ['a.txt', 'new.txt'].map((file) => ({ file, edit: { kind: 'write' as const } }))
    const planned = await plannedChanges(tree, await readChanges(tree, base, 60_000), edits)
    const known = planned.flatMap(({ path, blob }) => (blob === undefined ? [] : path))
    expect(known).toEqual(['b.txt'])
  })
})

describe('two files of one content and two modes', () => {
  it('do not merge where both are new: so no client says that they are equal', async () => {
    const made = await repository({ 'a.txt': 'a\n' })
    made.write('run.sh', 'x\n')
    made.commit()
    made.git('checkout', '-qb', 'other', 'main')
    made.write('run.sh', 'x\n')
    chmodSync(join(made.top, 'run.sh'), 0o755)
    made.commit()
    expect(git(made.top, 'merge-tree', '--write-tree', 'feat', 'other').code).toBe(1)
    expect(await blobsOf(made)).toEqual({ 'run.sh': undefined })
  })
})
