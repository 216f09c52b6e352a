import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBase, findMergeBase } from '../../src/cli/git/base.ts'
import { readChanges } from '../../src/cli/git/changes.ts'
import { configOf, parseEntries } from '../../src/cli/git/config.ts'
import { readGivenPaths } from '../../src/cli/git/given-paths.ts'
import { issueOfBranch } from '../../src/cli/git/issue.ts'
import { readOtherForge, readRemoteUrl } from '../../src/cli/git/remote-url.ts'
import { readSurroundings, type WorkTree } from '../../src/cli/git/work-tree.ts'
import { lines, newDirectory } from '../support/command-line.ts'
import { runGit } from '../support/run-git.ts'

interface TestTree {
  path: string
  git(...args: string[]): string
  write(path: string, content: string | Buffer): void
  commit(): string
  open(env?: NodeJS.ProcessEnv, cwd?: string): Promise<WorkTree>
  changes(base?: { given?: string; defaultBranch?: string }): ReturnType<typeof readChanges>
}

function treeAt(path: string): TestTree {
  const tree: TestTree = {
    path,
    git(...args) {
      const { code, out } = runGit(path, ...args)
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`)
      return out.trim()
    },
    write: (name, content) => writeFileSync(join(path, name), content),
    commit() {
      tree.git('add', '-A')
      tree.git('commit', '-q', '--allow-empty', '-m', 'Change')
      return tree.git('rev-parse', 'HEAD')
    },
    async open(env = {}, cwd = path) {
      const given = { PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1', ...env }
      const { tree: found } = await readSurroundings({ cwd, env: given, signal: new AbortController().signal })
      if (!found) throw new Error('There is no work tree.')
      return found
    },
    async changes({ given, defaultBranch = 'main' } = {}) {
      const opened = await tree.open()
      return readChanges(opened, await findBase(opened, { given, remote: 'origin', defaultBranch }))
    },
  }
  return tree
}

/** A work tree with `a.ts` of 200 lines on `main`, which is that of `origin` too. */
function newTree(...initOptions: string[]): TestTree {
  const tree = treeAt(newDirectory())
  tree.git('init', '-q', '-b', 'main', ...initOptions)
  tree.git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  tree.write('a.ts', lines())
  tree.commit()
  tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  return tree
}

describe('§14 the repository of a remote', () => {
  it.each([
    'https://github.com/acme/shop',
    'https://github.com/acme/shop.git',
    'https://github.com/acme/shop/',
    'https://alice@github.com/acme/shop.git',
    'https://alice:secret@github.com:443/acme/shop.git',
    'HTTPS://GitHub.com/acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'ssh://git@github.com:22/acme/shop.git/',
    'git@github.com:acme/shop.git',
    'git@github.com:acme/shop',
    'github.com:acme/shop.git',
    'git://github.com/acme/shop.git',
  ])('is read of %s', (url) => {
    expect(readRemoteUrl(url)).toEqual({ host: 'github.com', owner: 'acme', name: 'shop' })
  })

  it.each([
    '/srv/git/acme/shop.git',
    '../shop',
    'file:///srv/acme/shop',
    'C:\\work\\shop',
    'https://github.com/acme',
    'https://github.com/acme/..',
    'https://github.com/a/b/c',
    'ext::sh -c touch% /tmp/x',
  ])('is none in %s', (url) => {
    expect(readRemoteUrl(url)).toBeUndefined()
  })

  it.each([
    ['git@gitlab.com:acme/shop.git', 'gitlab.com'],
    ['https://acme.visualstudio.com/x/y', 'acme.visualstudio.com'],
  ])('is on another forge: %s', (url, host) => {
    expect(readRemoteUrl(url)).toBeUndefined()
    expect(readOtherForge(url)).toBe(host)
  })

  it('is the one behind the longest insteadOf', () => {
    const config = configOf([
      { scope: 'local', key: 'remote.origin.url', value: 'gh:acme/shop' },
      { scope: 'global', key: 'url.https://example.com/.insteadof', value: 'g' },
      { scope: 'global', key: 'url.git@github.com:.insteadof', value: 'gh:' },
    ])
    expect(config.remotes).toEqual([{ name: 'origin', url: 'git@github.com:acme/shop', chosen: undefined }])
  })

  it('keeps the settings of the user apart from those of a clone', () => {
    const output =
      'global\0headsup.url\nhttps://a\0local\0headsup.url\nhttps://b\0local\0filter.a=b.clean\nx\0local\0core.bare\0'
    const config = configOf(parseEntries(output))
    expect(config.get('headsup.url')).toBe('https://b')
    expect(config.getGlobal('headsup.url')).toBe('https://a')
    expect(config.filters).toEqual(['a=b'])
  })
})

describe('§14 the issue of a branch', () => {
  it.each([
    ['issue-42', 42],
    ['fix/issue-42', 42],
    ['gh-7', 7],
    ['GH-7', 7],
    ['issues/42', 42],
    ['alice/issues/42', 42],
    ['42-add-cart', 42],
    ['feat/42-é', 42],
    ['issue-42-add-cart', 42],
  ])('is read of %s', (branch, number) => {
    expect(issueOfBranch(branch)).toBe(number)
  })

  it.each([
    'main',
    '42',
    '7-0-stable',
    'v4.2',
    '42-',
    'issue-0',
    '42-add/cart',
    'tissue-42',
    '2026-11-20',
    '9999999999-x',
  ])('is none in %s', (branch) => {
    expect(issueOfBranch(branch)).toBeUndefined()
  })
})

describe('§14 the base', () => {
  it('is the default branch of the service, and not where a stale origin/HEAD points', async () => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/master', 'HEAD')
    tree.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/master')
    const base = await findBase(await tree.open(), { given: undefined, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: null, ref: 'refs/remotes/origin/main' })
  })

  it('is develop where that is the default branch, though there is a main', async () => {
    const tree = newTree()
    tree.write('b.ts', 'b\n')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/develop', 'HEAD')
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 5: 'x' }))
    const { sent } = await tree.changes({ defaultBranch: 'develop' })
    expect(sent?.files.map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('is no upstream of another name', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.git('update-ref', 'refs/remotes/origin/other', 'HEAD')
    tree.git('config', 'branch.fix.remote', 'origin')
    tree.git('config', 'branch.fix.merge', 'refs/heads/other')
    const base = await findBase(await tree.open(), { given: undefined, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: null, ref: 'refs/remotes/origin/main' })
  })

  it.each(['feat/a', 'origin/feat/a', 'refs/heads/feat/a'])('is named by --base %s', async (given) => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/feat/a', 'HEAD')
    const base = await findBase(await tree.open(), { given, remote: 'origin', defaultBranch: 'main' })
    expect(base).toEqual({ named: 'feat/a', ref: 'refs/remotes/origin/feat/a' })
  })

  it('is named by the setting of gh, if the remote has such a branch', async () => {
    const tree = newTree()
    tree.git('update-ref', 'refs/remotes/origin/release', 'HEAD')
    const question = { given: undefined, remote: 'origin', defaultBranch: 'main' }
    for (const [setting, named] of [
      ['release', 'release'],
      ['gone', null],
    ] as const) {
      tree.git('config', 'branch.main.gh-merge-base', setting)
      expect(await findBase(await tree.open(), question)).toMatchObject({ named })
    }
  })

  it('is refused where --base names no branch of the remote', async () => {
    const tree = newTree()
    tree.git('branch', 'mian')
    const asked = findBase(await tree.open(), { given: 'mian', remote: 'origin', defaultBranch: 'main' })
    await expect(asked).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('no branch mian') })
  })

  it('is before the commits that no remote branch has, where the clone lacks the default branch', async () => {
    const tree = newTree()
    const pushed = tree.git('rev-parse', 'HEAD')
    tree.write('b.ts', 'b\n')
    tree.commit()
    const opened = await tree.open()
    expect(await findMergeBase(opened, { named: null, ref: null })).toBe(pushed)
    tree.git('update-ref', 'refs/remotes/origin/fix', 'HEAD')
    expect(await findMergeBase(opened, { named: null, ref: null })).toBe(opened.head)
  })
})

describe('§14 changes', () => {
  it('are those of commits, of the index, of the work tree, and new files', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('b.ts', 'b\n')
    const first = tree.commit()
    tree.write('a.ts', lines({ 10: 'x', 20: 'y' }))
    tree.git('add', 'a.ts')
    tree.write('a.ts', lines({ 10: 'x', 30: 'z' }))
    tree.write('c d.ts', 'c\n')
    const { sent } = await tree.changes()
    expect(sent).toEqual({
      commits: [first],
      files: [
        {
          path: 'a.ts',
          status: 'modified',
          lines: [
            [10, 10],
            [30, 30],
          ],
        },
        { path: 'b.ts', status: 'added', lines: [[1, 0]] },
        { path: 'c d.ts', status: 'added', lines: [[1, 0]] },
      ],
      files_total: 3,
    })
  })

  it('name the head only where nothing is uncommitted', async () => {
    const tree = newTree()
    tree.write('a.ts', lines({ 10: 'x' }))
    expect((await tree.changes()).sent).not.toHaveProperty('head_sha')
    const head = tree.commit()
    expect((await tree.changes()).sent).toMatchObject({ head_sha: head, commits: [head] })
    tree.write('new.ts', 'n\n')
    expect((await tree.changes()).sent).not.toHaveProperty('head_sha')
  })

  it.each(['with spaces "and" quotes.ts', '-n.ts', 'tab\there.ts', 'line\nend.ts', '🦊/عربي.ts', 'a: b.ts'])(
    'take a file of the name %j',
    async (name) => {
      const tree = newTree()
      tree.git('switch', '-qc', 'fix')
      mkdirSync(dirname(join(tree.path, name)), { recursive: true })
      tree.write(name, lines())
      tree.commit()
      tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
      tree.write(name, lines({ 7: 'x' }))
      expect((await tree.changes()).sent?.files).toEqual([{ path: name, status: 'modified', lines: [[7, 7]] }])
    },
  )

  it('count a file whose name is not UTF-8, and leave it out', async () => {
    const tree = newTree()
    writeFileSync(Buffer.concat([Buffer.from(`${tree.path}/a`), Buffer.from([0xff]), Buffer.from('.ts')]), 'x\n')
    expect((await tree.changes()).sent).toMatchObject({ files: [], files_total: 1 })
  })

  it('are told the same whatever the settings of git are', async () => {
    const tree = newTree()
    tree.write('a.ts', lines({ 10: 'x' }))
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.external', 'false'],
      ['diff.interHunkContext', '5'],
      ['diff.context', '9'],
      ['diff.relative', 'true'],
      ['diff.submodule', 'log'],
      ['color.ui', 'always'],
      ['status.showUntrackedFiles', 'no'],
      ['core.quotePath', 'true'],
    ] as const)
      tree.git('config', key, value)
    tree.write('ä.ts', 'n\n')
    expect((await tree.changes()).sent?.files).toEqual([
      { path: 'a.ts', status: 'modified', lines: [[10, 10]] },
      { path: 'ä.ts', status: 'added', lines: [[1, 0]] },
    ])
  })

  it('run no filter of the clone, and tell no lines of what a filter changes', async () => {
    const tree = newTree()
    const marker = join(newDirectory(), 'pwned')
    tree.write('.gitattributes', '* filter=x\n')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    for (const name of ['x', 'a=b']) {
      for (const key of ['clean', 'smudge', 'process']) tree.git('config', `filter.${name}.${key}`, `touch ${marker}`)
      tree.git('config', `filter.${name}.required`, 'true')
    }
    tree.write('a.ts', lines({ 10: 'x' }))
    expect((await tree.changes()).sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: null }])
    expect(existsSync(marker)).toBe(false)
    // So the attack works where git runs by itself.
    runGit(tree.path, 'diff')
    expect(existsSync(marker)).toBe(true)
  })

  it('leave out files that were touched and not changed, and write nothing into .git', async () => {
    const tree = newTree()
    tree.write('b.ts', lines())
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    utimesSync(join(tree.path, 'b.ts'), 1, 1)
    tree.write('a.ts', lines({ 10: 'x' }))
    const index = readFileSync(join(tree.path, '.git/index'))
    expect((await tree.changes()).sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: [[10, 10]] }])
    expect(readFileSync(join(tree.path, '.git/index'))).toEqual(index)
  })

  it('leave out what lies in a submodule, and name a submodule at another commit', async () => {
    const [tree, inner] = [newTree(), newTree()]
    tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    tree.write('lib/built.js', 'x\n')
    expect((await tree.changes()).sent?.files).toEqual([])
    runGit(join(tree.path, 'lib'), 'commit', '-q', '--allow-empty', '-m', 'Move')
    expect((await tree.changes()).sent?.files).toMatchObject([{ path: 'lib', status: 'modified' }])
  })

  it('are all files before the first commit', async () => {
    const tree = treeAt(newDirectory())
    tree.git('init', '-q', '-b', 'main')
    tree.write('a.ts', 'a\n')
    expect((await tree.changes()).sent).toEqual({
      commits: [],
      files: [{ path: 'a.ts', status: 'added', lines: [[1, 0]] }],
      files_total: 1,
    })
  })

  it('are not those of a base branch that is being merged', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 10: 'mine' }))
    tree.commit()
    tree.git('switch', '-q', 'main')
    tree.write('b.ts', 'b\n')
    tree.write('a.ts', lines({ 10: 'theirs' }))
    tree.commit()
    tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    tree.git('switch', '-q', 'fix')
    runGit(tree.path, 'merge', '-q', 'main')
    expect((await tree.changes()).sent?.files.map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('work with SHA-256, linked work trees, sparse checkouts and GIT_DIR of somebody else', async () => {
    const tree = newTree('--object-format=sha256')
    tree.git('sparse-checkout', 'set', '--no-cone', '/a.ts')
    const linked = treeAt(join(newDirectory(), 'linked'))
    tree.git('worktree', 'add', '-q', '-b', 'fix', linked.path)
    linked.write('a.ts', lines({ 3: 'x' }))
    const opened = await linked.open({ GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/' })
    expect(opened).toMatchObject({ branch: 'fix', top: linked.path })
    const base = await findBase(opened, { given: undefined, remote: 'origin', defaultBranch: 'main' })
    const { sent } = await readChanges(opened, base)
    expect(sent?.files).toEqual([{ path: 'a.ts', status: 'modified', lines: [[3, 3]] }])
  })
})

describe('§14 the branch', () => {
  it('is the one that a rebase, a bisect or an am began on', async () => {
    const tree = newTree()
    tree.git('switch', '-qc', 'fix')
    tree.write('a.ts', lines({ 10: 'mine' }))
    const mine = tree.commit()
    tree.git('switch', '-q', 'main')
    tree.write('a.ts', lines({ 10: 'theirs' }))
    tree.commit()
    runGit(tree.path, 'rebase', 'main', 'fix')
    expect(await tree.open()).toMatchObject({ branch: 'fix', operation: 'rebase' })
    tree.git('rebase', '--abort')
    tree.git('bisect', 'start', 'HEAD', 'main~1')
    expect(await tree.open()).toMatchObject({ operation: 'bisect' })
    tree.git('bisect', 'reset')
    tree.git('switch', '-q', 'main')
    const patch = join(newDirectory(), 'patch')
    writeFileSync(patch, `${tree.git('format-patch', '-1', '--stdout', mine)}\n`)
    runGit(tree.path, 'am', patch)
    expect(await tree.open()).toMatchObject({ branch: 'main', operation: 'am' })
  })

  it('is null for a detached head, and known before the first commit', async () => {
    const tree = newTree()
    tree.git('switch', '-q', '--detach')
    expect(await tree.open()).toMatchObject({ branch: null, head: expect.any(String), operation: null })
    tree.git('switch', '-q', '--orphan', 'new#%🦊')
    expect(await tree.open()).toMatchObject({ branch: 'new#%🦊', head: null })
  })
})

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

  it('may lead through a link to the work tree', async () => {
    const tree = treeWithFiles()
    const link = join(newDirectory(), 'link')
    symlinkSync(tree.path, link)
    expect((await given(tree, join(link, 'app'), 'x.ts', join(link, 'a.ts'))).globs).toEqual(['app/x.ts', 'a.ts'])
  })
})
