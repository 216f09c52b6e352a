import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findWorkTree } from '../../../../src/cli/git/work-tree.ts'
import { findHookContext } from '../../../../src/cli/hooks/hook-state.ts'
import { scratch } from '../../../support/scratch.ts'
import { git } from '../../changes/git.ts'

async function repository() {
  const top = await scratch()
  git(top, 'init', '-q', '-b', 'main')
  git(top, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'x')
  return top
}

function terminalIn(cwd: string, env: Record<string, string> = {}) {
  const all = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...env }
  return { cwd, env: all, signal: new AbortController().signal, now: Date.now }
}

/** git takes every directory for one of another user. */
const ofOthers = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }

describe('a work tree', () => {
  it('is none where the setting core.worktree names another directory', async () => {
    const [top, other] = [await repository(), await scratch()]
    expect(await findWorkTree(terminalIn(top))).toMatchObject({ top, branch: 'main' })
    git(top, 'config', 'core.worktree', '..')
    expect(await findWorkTree(terminalIn(top))).toMatchObject({ top })
    git(top, 'config', 'core.worktree', other)
    expect(await findWorkTree(terminalIn(top))).toBeUndefined()
  })

  it('may be linked to one with the setting core.worktree', async () => {
    const top = await repository()
    const linked = join(await scratch(), 'linked')
    git(top, 'worktree', 'add', '-q', linked)
    git(top, 'config', 'core.worktree', await scratch())
    expect(await findWorkTree(terminalIn(linked))).toMatchObject({ top: linked, branch: 'linked' })
  })

  it('is none where git says so', async () => {
    const bare = await repository()
    git(bare, 'config', 'core.bare', 'true')
    expect(await findWorkTree(terminalIn(bare))).toBeUndefined()
    const newer = await repository()
    git(newer, 'config', 'core.repositoryFormatVersion', '99')
    await expect(findWorkTree(terminalIn(newer))).rejects.toThrow('`git status` fails in this directory')
  })

  it('is refused where git refuses it, and a broken submodule is another reason', async () => {
    const top = await repository()
    await expect(findWorkTree(terminalIn(top, ofOthers))).rejects.toThrow('belongs to another user')
    const module = await repository()
    git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'sub')
    writeFileSync(join(top, 'sub/.git'), 'gitdir: ../nowhere\n')
    mkdirSync(join(top, 'sub/x'), { recursive: true })
    await expect(findWorkTree(terminalIn(top))).rejects.toThrow('`git status` fails in this directory')
  })
})

describe('the state of the hooks', () => {
  it('is read without git in the directories of the user, and where git trusts it in others', async () => {
    const top = await repository()
    expect(await findHookContext(terminalIn(top, { PATH: '/nowhere' }))).toMatchObject({ top })
    const user = process.getuid?.() ?? 0
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(user + 1)
    onTestFinished(() => getuid.mockRestore())
    expect(await findHookContext(terminalIn(top))).toMatchObject({ top })
    expect(await findHookContext(terminalIn(top, ofOthers))).toBeUndefined()
  })
})
