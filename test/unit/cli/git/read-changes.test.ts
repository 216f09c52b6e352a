import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBases } from '../../../../src/cli/git/base-branch.ts'
import { ignoredPaths, plannedChanges } from '../../../../src/cli/git/planned-changes.ts'
import { readChanges } from '../../../../src/cli/git/read-changes.ts'
import { findWorkTree, type WorkTree } from '../../../../src/cli/git/work-tree.ts'
import type { NamedEdit } from '../../../../src/core/changes/edits/parse-patch.ts'
import type { FileChange } from '../../../../src/core/changes/file-change.ts'
import { limitChanges } from '../../../../src/core/changes/limit-changes.ts'
import { ChangesInput } from '../../../../src/core/changes/schema.ts'
import { scratch } from '../../../support/scratch.ts'
import { oldText } from '../../changes/edits.ts'
import { git } from '../../changes/git.ts'

const by = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always']

interface Repository {
  top: string
  git(...args: string[]): string
  write(path: string | Buffer, text?: string | Buffer): void
  commit(): void
  tree(env?: Record<string, string>): Promise<WorkTree>
  changes(limits?: { milliseconds?: number; env?: Record<string, string> }): ReturnType<typeof readChanges>
}

async function emptyRepository(top?: string): Promise<Repository> {
  const path = top ?? (await scratch())
  const run = (...args: string[]) => git(path, ...by, ...args).out
  const openTree = async (env: Record<string, string> = {}) => {
    const all = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...env }
    const found = await findWorkTree({ cwd: path, env: all, signal: new AbortController().signal })
    if (!found) throw new Error('There is no work tree.')
    return found
  }
  return {
    top: path,
    git: run,
    write(name, text = oldText(20)) {
      const bytes = Buffer.concat([Buffer.from(`${path}/`), Buffer.from(name)])
      mkdirSync(dirname(bytes.toString('latin1')), { recursive: true })
      writeFileSync(bytes, text)
    },
    commit() {
      run('add', '-A')
      run('commit', '-qm', 'x')
    },
    tree: openTree,
    async changes({ milliseconds = 60_000, env = {} } = {}) {
      const tree = await openTree(env)
      const { base } = await findBases(tree, undefined)
      return readChanges(tree, base, milliseconds)
    },
  }
}

/** A repository with one commit on `main`, on the branch `feat`. */
async function repository(prepare: (made: Repository) => void = () => {}): Promise<Repository> {
  const made = await emptyRepository()
  made.git('init', '-q', '-b', 'main')
  for (const name of ['a.txt', 'b.txt']) made.write(name)
  prepare(made)
  made.commit()
  made.git('checkout', '-qb', 'feat')
  return made
}

function change(path: string, status: FileChange['status'], lines: FileChange['lines'], previous_path?: string) {
  return { path, previous_path: previous_path ?? null, status, lines }
}

const added = (path: string) => change(path, 'added', [[0, 1]])
const edited = (line: number) => oldText(20).replace(`line ${line}\n`, `LINE ${line}\n`)

/** Blobs have tests of their own. */
const withoutBlob = ({ blob: _, ...file }: FileChange) => file

async function filesOf(made: Repository) {
  const read = await made.changes()
  expect(ChangesInput.safeParse({ files: limitChanges(read.files) }).error).toBeUndefined()
  return read.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(withoutBlob)
}

describe('the changed files of a branch', () => {
  it('are those of its commits, of the index and of the work tree, with lines of the merge base', async () => {
    const made = await repository()
    made.write('a.txt', edited(3))
    made.commit()
    made.git('checkout', '-q', 'main')
    made.write('a.txt', `first\n${oldText(20)}`)
    made.commit()
    made.git('checkout', '-q', 'feat')
    made.write('b.txt', edited(7))
    made.git('add', 'b.txt')
    made.write('b.txt', edited(7).replace('line 9', 'LINE 9'))
    made.write('.gitignore', '*.log\n')
    made.write('ignored.log')
    expect(await filesOf(made)).toEqual([
      added('.gitignore'),
      change('a.txt', 'modified', [[3, 3]]),
      change('b.txt', 'modified', [
        [7, 7],
        [9, 9],
      ]),
    ])
    expect(await made.changes()).toMatchObject({ head: made.git('rev-parse', 'HEAD').trim(), unreadable: 0 })
  })

  it('may be of every kind', async () => {
    const made = await repository(({ write, top }) => {
      for (const name of ['old name.ts', 'gone.ts', 'same.ts', 'cr.txt']) write(name, `${name}\r\n${oldText(30)}`)
      write('binary', Buffer.from([0, 1]))
      write('run.sh', 'x\n')
      symlinkSync('binary', join(top, 'link'))
    })
    renameSync(join(made.top, 'old name.ts'), join(made.top, 'new name.ts'))
    renameSync(join(made.top, 'same.ts'), join(made.top, 'moved.ts'))
    for (const name of ['gone.ts', 'link']) unlinkSync(join(made.top, name))
    made.git('add', '-A')
    made.write('binary', Buffer.from([0, 2]))
    made.write('cr.txt', `cr.txt\r\n${oldText(30)}`.replace('line 4\n', 'line 4\r\n'))
    made.write('link', 'a file now\n')
    made.write('empty', '')
    chmodSync(join(made.top, 'run.sh'), 0o755)
    const files = await filesOf(made)
    expect(files).toEqual([
      change('binary', 'modified', null),
      change('cr.txt', 'modified', [[5, 5]]),
      added('empty'),
      change('gone.ts', 'removed', [[1, 31]]),
      change('link', 'modified', null),
      change('moved.ts', 'renamed', [], 'same.ts'),
      change('new name.ts', 'renamed', [], 'old name.ts'),
      change('run.sh', 'modified', []),
    ])
  })

  it('may have any name, except one that is not UTF-8', async () => {
    const names = [
      'tab\t.ts',
      'two\nlines.ts',
      'quote".ts',
      'ü {b}*!.ts',
      '-dash',
      ':colon',
      'a b/c → d.ts',
      '\ufeffbom',
    ]
    const made = await repository(({ write }) => {
      for (const name of names) write(name)
    })
    for (const name of names) made.write(name, edited(5))
    for (const name of names) made.write(`new/${name}`)
    made.write(Buffer.from('bad\xff.ts', 'latin1'))
    made.write(Buffer.from('staged\xff.ts', 'latin1'))
    made.git('add', 'staged*')
    const read = await made.changes()
    expect(read.unreadable).toBe(2)
    const expected = names.flatMap((name) => [change(name, 'modified', [[5, 5]]), added(`new/${name}`)])
    expect(read.files).toHaveLength(expected.length)
    expect(read.files.map(withoutBlob)).toEqual(expect.arrayContaining(expected))
  })

  it('are the same with all settings of git that change its output', async () => {
    const made = await repository(({ write }) => write('.gitattributes', '*.txt diff=shout\n'))
    const settings = {
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'diff.renames': 'copies',
      'diff.context': '9',
      'diff.interHunkContext': '9',
      'diff.external': 'false',
      'diff.shout.textconv': 'false',
      'diff.shout.command': 'false',
      'diff.relative': 'true',
      'diff.colorMoved': 'true',
      'diff.submodule': 'log',
      'diff.orderFile': join(made.top, '.gitattributes'),
      'color.diff': 'always',
      'core.quotePath': 'true',
    }
    for (const [name, value] of Object.entries(settings)) made.git('config', name, value)
    made.write('a.txt', edited(3).replace('line 6', 'LINE 6'))
    const expected = [
      change('a.txt', 'modified', [
        [3, 3],
        [6, 6],
      ]),
    ]
    const read = await made.changes({ env: { GIT_EXTERNAL_DIFF: 'false', GIT_DIFF_OPTS: '-u5' } })
    expect(read.files.map(withoutBlob)).toEqual(expected)
  })

  it('do not include submodules, repositories in the work tree and our own hooks', async () => {
    const made = await repository()
    const other = await repository()
    made.git('submodule', '--quiet', 'add', other.top, 'libs/sub')
    made.git('commit', '-qm', 'sub')
    other.write('a.txt', edited(1))
    other.commit()
    git(join(made.top, 'libs/sub'), ...by, 'pull', '-q', 'origin', 'feat')
    writeFileSync(join(made.top, 'libs/sub/new.txt'), 'x')
    git(made.top, 'init', '-q', 'nested')
    writeFileSync(join(made.top, 'nested/x'), 'x')
    made.write('.claude/settings.local.json', '{"hooks":{"Stop":[{"hooks":[{"command":"headsup hook claude"}]}]}}')
    expect((await filesOf(made))?.map(({ path }) => path)).toEqual(['.gitmodules'])
  })

  it('include a file that only the commits or the index of the branch change, in lines that are not known', async () => {
    const made = await repository()
    made.write('a.txt', edited(3))
    made.commit()
    made.write('a.txt')
    made.write('b.txt', edited(4))
    made.write('staged.txt')
    made.git('add', 'b.txt', 'staged.txt')
    made.write('b.txt')
    unlinkSync(join(made.top, 'staged.txt'))
    expect(await filesOf(made)).toEqual(['a.txt', 'b.txt', 'staged.txt'].map((path) => change(path, 'modified', null)))
  })

  it('include a file that is removed from the index and still there', async () => {
    const made = await repository()
    made.write('new.txt')
    made.commit()
    made.git('rm', '-q', '--cached', 'a.txt', 'new.txt')
    expect(await filesOf(made)).toEqual([change('a.txt', 'modified', null), added('new.txt')])
  })
})

describe('while a merge has conflicts', () => {
  async function conflict() {
    const made = await repository()
    made.write('a.txt', edited(3))
    made.commit()
    made.git('checkout', '-q', 'main')
    made.write('a.txt', oldText(20).replace('line 3', 'theirs'))
    made.write('b.txt', edited(9))
    made.write('theirs.txt')
    made.commit()
    made.git('checkout', '-q', 'feat')
    return made
  }

  it('with the base branch, its changes do not count', async () => {
    const made = await conflict()
    made.git('merge', '-q', 'main')
    expect(made.git('status', '--short')).toContain('UU a.txt')
    expect((await filesOf(made))?.map(({ path }) => path)).toEqual(['a.txt'])
  })

  it('with another branch, its changes count', async () => {
    const made = await conflict()
    made.git('branch', 'other', 'main')
    made.git('branch', '-f', 'main', 'main~1')
    made.git('merge', '-q', 'other')
    expect((await filesOf(made))?.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'theirs.txt'])
  })
})

describe('a work tree', () => {
  it('without a commit has only added files', async () => {
    const made = await emptyRepository()
    made.git('init', '-q', '-b', 'main')
    for (const name of ['staged', 'untracked']) made.write(name)
    made.git('add', 'staged')
    const expected = { head: null, files: [added('untracked'), added('staged')], note: undefined, unreadable: 0 }
    expect(await made.changes()).toMatchObject(expected)
  })

  it('on the default branch has its uncommitted changes', async () => {
    const made = await repository()
    made.git('checkout', '-q', 'main')
    made.write('a.txt', edited(2))
    expect(await filesOf(made)).toEqual([change('a.txt', 'modified', [[2, 2]])])
  })

  it('with a detached head has the changes since the merge base', async () => {
    const made = await repository()
    made.write('a.txt', edited(2))
    made.commit()
    made.git('checkout', '-q', '--detach')
    made.write('b.txt', edited(4))
    expect((await filesOf(made))?.map(({ lines }) => lines)).toEqual([[[2, 2]], [[4, 4]]])
  })

  it('without a known merge base has the uncommitted ones, with a note', async () => {
    const made = await repository()
    made.write('a.txt', edited(2))
    made.commit()
    const clone = await emptyRepository(await scratch())
    made.git('clone', '-q', '--depth=1', '--no-single-branch', `file://${made.top}`, clone.top)
    clone.write('b.txt', edited(4))
    clone.git('config', 'headsup.base', 'main')
    expect(await clone.changes()).toMatchObject({
      files: [change('b.txt', 'modified', null)],
      note: expect.stringMatching(/^No common commit with main was found .*, so only uncommitted changes count\.$/),
    })
    clone.git('fetch', '-q', '--unshallow')
    expect(await clone.changes()).toMatchObject({ files: [{ path: 'a.txt' }, { path: 'b.txt' }], note: undefined })
  })
})

describe('a diff that is too long', () => {
  it('has the lines of all but the added files', async () => {
    const made = await repository()
    made.write('a.txt', edited(3))
    made.write('0.json', 'x\n'.repeat(3_000_000))
    made.git('add', '-A')
    expect(await filesOf(made)).toEqual([added('0.json'), change('a.txt', 'modified', [[3, 3]])])
  })

  it('has only the names where the changed lines are too many', async () => {
    const made = await repository(({ write }) => write('0.json', 'x\n'.repeat(3_000_000)))
    made.write('a.txt', edited(3))
    made.write('0.json', 'y\n'.repeat(3_000_000))
    made.write('new.txt')
    expect(await filesOf(made)).toEqual([
      change('0.json', 'modified', null),
      change('a.txt', 'modified', null),
      added('new.txt'),
    ])
  })

  it('has the names in the commits and in the status where git takes too long to compare', async () => {
    const made = await repository()
    made.write('b.txt', edited(3))
    made.commit()
    made.write('a.txt', edited(3))
    made.write('new.txt')
    const programs = await scratch()
    const script = `#!/bin/sh\ncase " $* " in *" -M "*) exec sleep 60;; esac\nPATH=\${PATH#*:} exec git "$@"\n`
    writeFileSync(join(programs, 'git'), script, { mode: 0o755 })
    const { files } = await made.changes({ milliseconds: 1_500, env: { PATH: `${programs}:${process.env.PATH}` } })
    expect(files.map(({ path, blob }) => [path, blob !== undefined])).toEqual([
      ...[
        ['b.txt', false],
        ['new.txt', true],
        ['a.txt', false],
      ],
    ])
    expect(files.map(({ lines }) => lines)).toEqual([null, [[0, 1]], null])
  })
})

describe('the changes of a branch with an edit that is about to be made', () => {
  async function planned(made: Repository, edits: readonly NamedEdit[]) {
    const [tree, changed] = [await made.tree(), await made.changes()]
    return (await plannedChanges(tree, changed, edits)).sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  const replace = (file: string, oldText: string, newText: string): NamedEdit => ({
    file,
    edit: { kind: 'replace', replacements: [{ oldText, newText, all: false }] },
  })

  it('have the lines of the merge base, of the edit and of all changes so far', async () => {
    const made = await repository()
    made.write('a.txt', `first\n${edited(3)}`)
    made.git('mv', 'b.txt', 'c d.txt')
    made.commit()
    made.write('c d.txt', edited(5))
    const edits = [
      replace('a.txt', 'line 9\nline 10\n', 'ten\n'),
      replace('c d.txt', 'line 2\n', ''),
      replace('new', 'x', 'y'),
    ]
    expect(await planned(made, edits)).toEqual([
      {
        ...change('a.txt', 'modified', [
          [0, 1],
          [3, 3],
          [9, 10],
        ]),
        inserts: [0],
      },
      change(
        'c d.txt',
        'renamed',
        [
          [2, 2],
          [5, 5],
        ],
        'b.txt',
      ),
      added('new'),
    ])
  })

  it('have a moved file under its new name', async () => {
    const made = await repository()
    const moved = { ...replace('a.txt', 'line 9\n', ''), movedTo: 'src/a.txt' }
    expect(await planned(made, [moved])).toEqual([change('src/a.txt', 'renamed', [[9, 9]], 'a.txt')])
  })

  it('have no lines for a link, a large file and one that cannot be located', async () => {
    const made = await repository((first) => {
      first.write('large', 'line 1\n'.repeat(200_000))
      symlinkSync('a.txt', join(first.top, 'link'))
    })
    const edits = ['large', 'link', 'b.txt'].map((file) => replace(file, 'no such text', ''))
    expect(await planned(made, edits)).toEqual(['b.txt', 'large', 'link'].map((file) => change(file, 'modified', null)))
  })

  it('leave out files that git ignores, unless they are committed', async () => {
    const made = await repository((first) => {
      first.write('kept.log')
      first.git('add', 'kept.log')
      first.write('.gitignore', '*.log\n')
    })
    expect(await ignoredPaths(await made.tree(), ['a.txt', 'x y.log', 'kept.log'])).toEqual(new Set(['x y.log']))
  })
})
