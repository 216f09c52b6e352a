import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isInNestedWorkTree, locateWorkTree } from '../../../../src/cli/git/locate-work-tree.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'headsup-locate-')))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const at = (path: string) => join(root, path)

function directory(path: string): void {
  mkdirSync(at(path), { recursive: true })
}

function file(path: string, text = ''): void {
  directory(dirname(path))
  writeFileSync(at(path), text)
}

/** The smallest directory that git accepts as a git directory. */
function gitDirectory(path: string): void {
  file(`${path}/HEAD`, 'ref: refs/heads/main\n')
  for (const name of ['objects', 'refs']) directory(`${path}/${name}`)
}

/** A linked work tree whose git directory names `back`. */
function linked(top: string, main: string, back: string): void {
  const own = `${main}/worktrees/linked`
  for (const [name, text] of [
    ['HEAD', 'ref: refs/heads/b'],
    ['commondir', '../..'],
    ['gitdir', back],
  ]) {
    file(`${own}/${name}`, `${text}\n`)
  }
  file(`${top}/.git`, `gitdir: ${at(own)}\n`)
}

const locate = (cwd: string, env: Record<string, string> = {}) => locateWorkTree({ cwd: at(cwd), env })
const located = (top: string, own: string) => ({ top: at(top), gitDirectory: at(own) })
const refusal = (part: string) => ({ refusal: expect.stringContaining(part) })

describe('a work tree', () => {
  it('is found from its top, from below, and through a link', () => {
    gitDirectory('clone/.git')
    directory('clone/src/deep')
    symlinkSync(at('clone/src'), at('link'))
    for (const cwd of ['clone', 'clone/src/deep', 'link', 'link/deep']) {
      expect(locate(cwd)).toEqual(located('clone', 'clone/.git'))
    }
  })

  it('is found where .git is a link to a directory', () => {
    gitDirectory('kept')
    directory('clone')
    symlinkSync(at('kept'), at('clone/.git'))
    expect(locate('clone')).toEqual(located('clone', 'kept'))
  })

  it('is found above a directory whose .git is not a git directory', () => {
    gitDirectory('clone/.git')
    directory('clone/src/.git')
    expect(locate('clone/src')).toEqual(located('clone', 'clone/.git'))
  })

  it('is not found outside of one, or in a directory that does not exist', () => {
    directory('plain')
    expect(locate('plain')).toEqual(refusal('not a git work tree'))
    expect(locate('gone')).toEqual(refusal('not a git work tree'))
  })
})

describe('a git directory', () => {
  it.each(['clone/docs', 'clone/docs/refs', 'clone/docs/deep'])(
    'among the files of a clone is refused in %s',
    (cwd) => {
      gitDirectory('clone/.git')
      gitDirectory('clone/docs')
      directory('clone/docs/deep')
      expect(locate(cwd)).toEqual(refusal(`${at('clone/docs')} is itself a git directory`))
    },
  )

  it('is refused where its HEAD is a link to a branch without commits', () => {
    gitDirectory('clone/.git')
    for (const name of ['objects', 'refs']) directory(`clone/docs/${name}`)
    symlinkSync('refs/heads/main', at('clone/docs/HEAD'))
    expect(locate('clone/docs')).toEqual(refusal('is itself a git directory'))
  })

  it('is refused where it is the .git of a clone', () => {
    gitDirectory('clone/.git')
    directory('clone/.git/hooks')
    expect(locate('clone/.git/hooks')).toEqual(refusal(`${at('clone/.git')} is itself a git directory`))
  })
})

describe('a .git file of a linked work tree', () => {
  it.each([
    ['its absolute path', () => at('linked/.git')],
    ['a relative path', () => relative(at('main/.git/worktrees/linked'), at('linked/.git'))],
  ])('is accepted where the git directory names it by %s', (_, back) => {
    gitDirectory('main/.git')
    linked('linked', 'main/.git', back())
    expect(locate('linked')).toEqual(located('linked', 'main/.git/worktrees/linked'))
  })

  it('is accepted below its own bare repository', () => {
    gitDirectory('project')
    linked('project/main', 'project', at('project/main/.git'))
    expect(locate('project/main')).toEqual(located('project/main', 'project/worktrees/linked'))
    expect(locate('project')).toEqual(refusal('is itself a git directory'))
  })

  it.each([
    ['another file', () => at('other/.git')],
    ['no file', () => ''],
  ])('is refused where the git directory names %s', (_, back) => {
    gitDirectory('main/.git')
    file('other/.git')
    linked('linked', 'main/.git', back())
    expect(locate('linked')).toEqual(refusal('does not belong to this work tree'))
  })
})

describe('a .git file of another kind', () => {
  it('is accepted in a submodule, and in a submodule of that', () => {
    gitDirectory('clone/.git')
    gitDirectory('clone/.git/modules/lib')
    gitDirectory('clone/.git/modules/lib/modules/deep')
    file('clone/lib/.git', 'gitdir: ../.git/modules/lib\n')
    file('clone/lib/deep/.git', 'gitdir: ../../.git/modules/lib/modules/deep\n')
    expect(locate('clone/lib')).toEqual(located('clone/lib', 'clone/.git/modules/lib'))
    expect(locate('clone/lib/deep')).toEqual(located('clone/lib/deep', 'clone/.git/modules/lib/modules/deep'))
  })

  it('is accepted in a submodule of a linked work tree', () => {
    gitDirectory('main/.git')
    linked('linked', 'main/.git', at('linked/.git'))
    gitDirectory('main/.git/worktrees/linked/modules/lib')
    file('linked/lib/.git', `gitdir: ${at('main/.git/worktrees/linked/modules/lib')}\n`)
    expect(locate('linked/lib')).toEqual(located('linked/lib', 'main/.git/worktrees/linked/modules/lib'))
  })

  it('is accepted where the git directory is outside of every work tree', () => {
    gitDirectory('kept')
    file('clone/.git', 'gitdir: ../kept\r\n')
    expect(locate('clone')).toEqual(located('clone', 'kept'))
  })

  it.each([
    ['the files of the work tree', 'gitdir: evil', 'clone/lib/evil'],
    ['the files of the enclosing work tree', 'gitdir: ../evil', 'clone/evil'],
  ])('is refused where the git directory is among %s', (_, line, evil) => {
    gitDirectory('clone/.git')
    gitDirectory(evil)
    file('clone/lib/.git', `${line}\n`)
    expect(locate('clone/lib')).toEqual(refusal('does not belong to this work tree'))
  })

  it('is refused below a git directory among the files of a clone', () => {
    gitDirectory('clone/.git')
    gitDirectory('clone/docs')
    gitDirectory('kept')
    file('clone/docs/lib/.git', `gitdir: ${at('kept')}\n`)
    expect(locate('clone/docs/lib')).toEqual(refusal('does not belong to this work tree'))
  })

  it.each(['', 'gitdir: ', 'gitdir: gone\n', 'gitdir: plain\n', '[core]\n'])(
    'is refused where it contains %j',
    (text) => {
      gitDirectory('clone/.git')
      directory('clone/lib/plain')
      file('clone/lib/.git', text)
      expect(locate('clone/lib')).toEqual(refusal('does not belong to this work tree'))
    },
  )
})

describe('the variables that git sets for its hooks', () => {
  const here = () => located('clone', 'clone/.git')

  beforeEach(() => {
    gitDirectory('clone/.git')
    directory('clone/src')
    gitDirectory('other')
  })

  it('may name the repository of the current directory', () => {
    for (const GIT_DIR of ['', '.git', at('clone/.git')]) expect(locate('clone', { GIT_DIR })).toEqual(here())
    expect(locate('clone/src', { GIT_DIR: '../.git', GIT_WORK_TREE: '..' })).toEqual(here())
    expect(locate('clone', { GIT_DIR: '.git', GIT_WORK_TREE: '.' })).toEqual(here())
  })

  it('may name the .git file of a linked work tree, and its git directory', () => {
    linked('linked', 'clone/.git', at('linked/.git'))
    const own = located('linked', 'clone/.git/worktrees/linked')
    for (const GIT_DIR of ['.git', own.gitDirectory]) expect(locate('linked', { GIT_DIR })).toEqual(own)
  })

  it.each([
    { GIT_DIR: '../other' },
    { GIT_DIR: 'gone' },
    { GIT_WORK_TREE: '..' },
    { GIT_DIR: '.git', GIT_WORK_TREE: 'src' },
  ])('may not name another one: %j', (env) => {
    expect(locate('clone', env)).toEqual(refusal('GIT_DIR or GIT_WORK_TREE'))
  })
})

describe('a directory below the top', () => {
  it('is in a nested work tree below another .git, but not below a git directory', () => {
    gitDirectory('clone/.git')
    gitDirectory('clone/docs')
    gitDirectory('clone/vendor/inside/.git')
    const isNested = (path: string) => isInNestedWorkTree(at(path), at('clone'))
    expect(['clone', 'clone/src/new', 'clone/docs', 'clone/vendor'].map(isNested)).toEqual([false, false, false, false])
    expect(['clone/vendor/inside', 'clone/vendor/inside/src/new'].map(isNested)).toEqual([true, true])
  })
})
