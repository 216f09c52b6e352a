import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clone, newDirectory, removeDirectories, sharedRepository } from '../support/command-line.ts'

let alice: Clone
/** A bare repository, pushed to as `backup`. */
let remote: string

afterAll(removeDirectories)
beforeEach(() => {
  // No service runs at the address: the hooks only have to let git go on.
  const env = { HEADSUP_URL: 'http://127.0.0.1:9', GITHUB_TOKEN: 'ghp_x' }
  alice = sharedRepository('acme', 'shop').clone('Alice', env, 'feat/a')
  remote = newDirectory()
  alice.git('init', '-q', '--bare', remote)
  alice.git('remote', 'add', 'backup', `file://${remote}`)
})

const installHooks = () => alice.headsup(['hook', 'install', 'git'])

function script(file: string, text: string) {
  alice.write(file, text)
  chmodSync(join(alice.path, file), 0o755)
}

const pushed = () => alice.git('-C', remote, 'for-each-ref', '--format=%(refname)').trim()

describe('the git hooks beside a stub of Git LFS', () => {
  let bin: string

  /** What the stub was called with, and what it read. */
  const calls = () => {
    const file = join(bin, 'calls')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const run = (command: string) => alice.shell(`PATH='${bin}':$PATH ${command}`)
  const push = () => run('git push -q backup feat/a')

  function stub(status = 0) {
    writeFileSync(
      join(bin, 'git-lfs'),
      `#!/bin/sh\necho "$@" >> '${bin}/calls'\n[ "$1" = pre-push ] && cat >> '${bin}/calls'\nexit ${status}\n`,
      { mode: 0o755 },
    )
  }

  function useLfs() {
    alice.git('config', 'filter.lfs.required', 'true')
    alice.write('assets/.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n')
    alice.commit()
  }

  beforeEach(() => {
    bin = newDirectory()
    stub()
  })

  const prePush = () => {
    const head = alice.git('rev-parse', 'HEAD').trim()
    return `pre-push backup file://${remote}\nrefs/heads/feat/a ${head} refs/heads/feat/a ${'0'.repeat(40)}\n`
  }

  it('call it with their arguments and the pushed refs, and the hook after them gets both too', async () => {
    useLfs()
    script('.git/hooks/pre-push', '#!/bin/sh\necho "mine $1 $(cat)"\n')
    await installHooks()
    expect(await push()).toMatchObject({ code: 0, out: expect.stringMatching(/^mine backup refs\/heads\/feat\/a /) })
    expect(calls()).toBe(prePush())
    const head = alice.git('rev-parse', 'HEAD').trim()
    expect(await run('git checkout -q -b feat/b')).toMatchObject({ code: 0 })
    expect(calls()).toBe(`${prePush()}post-checkout ${head} ${head} 1\n`)
  })

  it('end with its status, so that a push whose content can not be stored is refused', async () => {
    useLfs()
    stub(3)
    await installHooks()
    expect((await push()).code).not.toBe(0)
    expect(pushed()).toBe('')
    expect((await run('git checkout -q -b feat/b')).code).not.toBe(0)
  })

  it.each<[string, string, string]>([
    ['is its own', 'pre-push', '#!/bin/sh\ncommand -v git-lfs >/dev/null 2>&1 || exit 2\ngit lfs pre-push "$@"\n'],
    ['calls it by its program', 'pre-push', '#!/bin/sh -e\nexec git-lfs pre-push "$@"\n'],
    [
      'is a program that calls it',
      'pre-push',
      `#!/usr/bin/env node
import('node:child_process').then(({ spawnSync }) =>
  spawnSync('git', ['lfs', 'pre-push', ...process.argv.slice(2)], { stdio: 'inherit' }))
`,
    ],
    ['was put aside by pre-commit', 'pre-push.legacy', '#!/bin/sh\ngit lfs pre-push "$@"\n'],
  ])('leave it to a hook that %s', async (_, name, text) => {
    useLfs()
    script(`.git/hooks/${name}`, text)
    if (name !== 'pre-push') script('.git/hooks/pre-push', `#!/bin/sh\nexec "$0.legacy" "$@"\n`)
    await installHooks()
    expect(await push()).toMatchObject({ code: 0 })
    expect(calls()).toBe(prePush())
  })

  it.each<[string, string]>([
    ['only mentions it', '#!/bin/sh\n# We left git lfs pre-push out.\nexit 0\n'],
    ['calls it for something else', '#!/bin/sh\ngit lfs fetch\n'],
  ])('call it where the existing hook %s', async (_, text) => {
    useLfs()
    script('.git/hooks/pre-push', text)
    await installHooks()
    await push()
    expect(calls()).toContain(prePush())
  })

  it.each<[string, () => void]>([
    ['it is not set up', () => alice.git('config', '--unset', 'filter.lfs.required')],
    [
      'the repository does not use it',
      () => {
        alice.write('assets/.gitattributes', '*.bin binary\n')
        alice.commit()
      },
    ],
  ])('do not call it where %s', async (_, change) => {
    useLfs()
    change()
    await installHooks()
    expect(await push()).toMatchObject({ code: 0 })
    expect(await run('git checkout -q -b feat/b')).toMatchObject({ code: 0 })
    expect(calls()).toBe('')
  })

  it('call it where only its storage shows that it is used, also from a linked work tree', async () => {
    alice.git('config', 'filter.lfs.required', 'true')
    mkdirSync(join(alice.path, '.git/lfs/objects'), { recursive: true })
    await installHooks()
    alice.git('worktree', 'add', '-q', '../linked')
    expect(await run('git -C ../linked push -q backup linked')).toMatchObject({ code: 0 })
    expect(calls()).toContain('pre-push backup')
  })

  it('are run without it: a push is refused where its content would be missing, and nothing else is', async () => {
    const without = newDirectory()
    for (const tool of ['git', 'sh', 'cat', 'sed', 'grep', 'env', 'node'])
      symlinkSync(execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(), join(without, tool))
    const bare = (command: string) => alice.shell(`PATH='${without}' ${command}`)
    alice.git('config', 'filter.lfs.required', 'true')
    await installHooks()
    expect(await bare('git push -q backup feat/a')).toMatchObject({ code: 0 })
    useLfs()
    expect(await bare('git push -q backup feat/a')).toMatchObject({ code: 1, err: expect.stringContaining('git-lfs') })
    expect(await bare('git checkout -q -b feat/b')).toMatchObject({ code: 0 })
  })

  it('call it on a machine without headsup too', async () => {
    const PATH = newDirectory()
    writeFileSync(join(PATH, 'headsup'), '')
    useLfs()
    await alice.headsup(['hook', 'install', 'git'], { env: { PATH: `${PATH}:${process.env.PATH}` } })
    expect(await push()).toEqual({ code: 0, out: '', err: '' })
    expect(calls()).toBe(prePush())
  })
})

const hasLfs = (() => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!hasLfs) console.warn('Git LFS is not installed, so its own program is not tried with the git hooks.')

describe.skipIf(!hasLfs)('the git hooks beside Git LFS', () => {
  const content = 'The content.\n'

  async function commitContent() {
    alice.git('lfs', 'track', '*.bin')
    alice.write('a.bin', content)
    alice.commit()
  }

  /** The contents that arrived. */
  function arrived(): string[] {
    const objects = join(remote, 'lfs/objects')
    if (!existsSync(objects)) return []
    const files = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
  }

  const push = () => alice.shell('GIT_TRACE=1 git push backup feat/a')
  const timesCalled = (trace: string) => trace.match(/run_command: git-lfs pre-push/g)?.length

  it('push the content where they are installed before it is set up', async () => {
    await installHooks()
    alice.git('lfs', 'install', '--skip-repo')
    await commitContent()
    const { code, err } = await push()
    expect({ code, arrived: arrived() }).toEqual({ code: 0, arrived: [content] })
    expect(timesCalled(err)).toBe(1)
    // Git LFS replaces no hook that differs from its own. Its filters are set up, and our hook calls it.
    const again = await alice.shell('git lfs install')
    expect(again.out + again.err).toContain('Hook already exists')
    expect(await alice.shell('git lfs install --skip-repo')).toMatchObject({ code: 0 })
    expect((await alice.headsup(['hook', 'uninstall', 'git'])).out).toContain('run `git lfs install` before you push')
    expect(await alice.shell('git lfs install')).toMatchObject({ code: 0 })
  })

  it('push the content where they are installed after it, with the call that is there', async () => {
    alice.git('lfs', 'install')
    const before = readFileSync(join(alice.path, '.git/hooks/pre-push'), 'utf8')
    await installHooks()
    await commitContent()
    const { code, err } = await push()
    expect({ code, arrived: arrived() }).toEqual({ code: 0, arrived: [content] })
    expect(timesCalled(err)).toBe(1)
    expect((await alice.headsup(['hook', 'uninstall', 'git'])).out).not.toContain('git lfs')
    expect(readFileSync(join(alice.path, '.git/hooks/pre-push'), 'utf8')).toBe(before)
    expect(await alice.shell('git lfs install')).toMatchObject({ code: 0 })
  })

  it('refuse a push whose content can not be stored', async () => {
    await installHooks()
    alice.git('lfs', 'install', '--skip-repo')
    await commitContent()
    writeFileSync(join(remote, 'lfs'), '')
    expect((await push()).code).not.toBe(0)
    expect(pushed()).toBe('')
  })
})
