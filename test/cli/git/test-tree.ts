import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBase } from '../../../src/cli/git/base.ts'
import { readChanges } from '../../../src/cli/git/changes.ts'
import { readSurroundings, type WorkTree } from '../../../src/cli/git/work-tree.ts'
import { lines, newDirectory } from '../../support/command-line.ts'
import { commitAll, runGit } from '../../support/run-git.ts'

export interface TestTree {
  path: string
  git(...args: string[]): string
  write(path: string, content: string | Buffer): void
  commit(): string
  open(env?: NodeJS.ProcessEnv, cwd?: string): Promise<WorkTree>
  changes(base?: { given?: string; defaultBranch?: string }): ReturnType<typeof readChanges>
}

export function treeAt(path: string): TestTree {
  const tree: TestTree = {
    path,
    git(...args) {
      const { code, out } = runGit(path, ...args)
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`)
      return out.trim()
    },
    write: (name, content) => writeFileSync(join(path, name), content),
    commit: () => commitAll(path),
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
export function newTree(...initOptions: string[]): TestTree {
  const tree = treeAt(newDirectory())
  tree.git('init', '-q', '-b', 'main', ...initOptions)
  tree.git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  tree.write('a.ts', lines())
  tree.commit()
  tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  return tree
}
