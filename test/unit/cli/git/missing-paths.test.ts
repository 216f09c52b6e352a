import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { missingPaths } from '../../../../src/cli/git/missing-paths.ts'
import { findWorkTree } from '../../../../src/cli/git/work-tree.ts'
import { scratch } from '../../../support/scratch.ts'
import { git } from '../../changes/git.ts'

const globs = ['src/*.ts', 'src/*.tsx', 'docs/a.md', 'gone.ts']

/** A work tree with src/a.ts. Its git refuses to list paths where it might fetch objects: older versions ignore the variable. */
async function openTree({ commits = true } = {}) {
  const top = await scratch()
  const run = (...args: string[]) => git(top, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args).out
  run('init', '-q', '-b', 'main')
  mkdirSync(join(top, 'src'))
  writeFileSync(join(top, 'src/a.ts'), 'a')
  run('add', '-A')
  if (commits) run('commit', '-qm', 'x')
  const bin = await scratch()
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
case " $* " in *" ls-tree "*|*" ls-files "*) [ "$GIT_NO_LAZY_FETCH" = 1 ] || exit 128;; esac
PATH='${process.env.PATH}' exec git "$@"
`,
  )
  chmodSync(join(bin, 'git'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const tree = await findWorkTree({ cwd: top, env, signal: new AbortController().signal })
  return { tree: tree ?? expect.fail('There is no work tree.'), run, top }
}

describe('missing paths', () => {
  it.each([true, false])(
    'are those in neither the work tree nor its commit, and fetch no object (commits: %s)',
    async (commits) => {
      const { tree } = await openTree({ commits })
      expect(await missingPaths(tree, globs)).toEqual([
        'src/*.tsx matches no file here, ignored files left out.',
        'docs/a.md is not a file here.',
        'gone.ts is not a file here.',
      ])
    },
  )

  it('are none where the clone lacks the trees of its commit', async () => {
    const { tree, run, top } = await openTree()
    for (const id of [run('rev-parse', 'HEAD:src'), run('rev-parse', 'HEAD^{tree}')].map((one) => one.trim()))
      rmSync(join(top, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true })
    expect(await missingPaths(tree, globs)).toEqual([])
  })
})
