import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ClonesStage, prepareClones, startedChanges } from '../support/clones.ts'
import { type Clone, jsonOf, newDirectory, workTree } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone
let variables: ClonesStage['variables']

prepareClones((stage) => {
  ;({ service, repository, variables } = stage)
  alice = stage.clone('Alice')
  bob = stage.clone('Bob', { token: repository.otherWriter })
})

describe('a work tree', () => {
  const started = async (clone: Clone, ...args: string[]) => (await jsonOf(clone, 'start', ...args)).activity

  it('may have a detached head', async () => {
    alice.git('checkout', '-q', '--detach')
    alice.write('src/a.ts')
    expect(await started(alice)).toMatchObject({ branch: null, base_branch: 'main', scope_changed: ['src'] })
  })

  it('may be a linked work tree, and be used from a subdirectory', async () => {
    alice.git('worktree', 'add', '-q', '-b', 'feat/linked', '../linked')
    const linked = workTree(join(alice.path, '../linked'), 'Alice', variables)
    linked.write('src/auth/{a b}!ü.ts')
    linked.git('mv', 'README.md', 'LIESMICH.md')
    const changed = await startedChanges(linked, repository, 'src/auth')
    expect(changed).toEqual(['LIESMICH.md', 'README.md', 'src/auth/{a b}!ü.ts'])
    expect((await jsonOf(alice, 'list', '--branch', 'feat/linked')).items).toHaveLength(1)
    const below = await linked.headsup(['check', 'login.ts', 'new/*.ts', '/top.ts', '../*.md', '--json'], {
      cwd: 'src/auth',
    })
    expect(below.code).toBe(0)
    expect((await jsonOf(alice, 'check', 'README.md')).related_activity_ids).toHaveLength(1)
  })

  it('may have no commit yet', async () => {
    const path = newDirectory()
    const fresh = workTree(path, 'Alice', variables)
    fresh.git('init', '-q')
    fresh.git('remote', 'add', 'upstream', `https://github.com/${repository.owner}/${repository.name}.git`)
    fresh.git('remote', 'add', 'origin', 'https://github.com/acme/fork')
    fresh.write('!a.ts')
    expect(await started(fresh)).toMatchObject({ branch: 'main', base_branch: null, scope_changed: ['.'] })
    // With one commit there is still no base branch, and no note asks for one.
    fresh.commit()
    expect(await started(fresh)).toMatchObject({ branch: 'main', base_branch: null, scope_changed: [] })
  })

  it('of a fork, whose token may not record upstream, is told both repositories and how to record in the fork', async () => {
    const { owner, name } = repository
    alice.git('remote', 'rename', 'origin', 'upstream')
    alice.git('remote', 'add', 'origin', 'https://github.com/ana/fork.git')
    const env = { GITHUB_TOKEN: repository.reader }
    expect(await alice.headsup(['start'], { env })).toEqual({
      code: 4,
      out: '',
      err: `headsup: ${owner}/${name}: This token may read the repository, but not write to it. To record it in your fork: \`git config headsup.repository ana/fork\`.\n`,
    })
  })

  it('may be a submodule', async () => {
    alice.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bob.path, 'libs/sub')
    mkdirSync(join(alice.path, 'libs/sub/deep'))
    const inside = workTree(join(alice.path, 'libs/sub'), 'Alice', variables)
    inside.git('remote', 'set-url', 'origin', `ssh://git@github.com:22/${repository.owner}/${repository.name}`)
    inside.write('deep/x.ts')
    expect(await startedChanges(inside, repository)).toEqual(['deep/x.ts'])
  })

  it('without a remote needs --repo, as does a directory outside of any work tree', async () => {
    alice.git('remote', 'remove', 'origin')
    expect(await alice.headsup(['check'])).toMatchObject({ code: 3, err: expect.stringContaining('--repo OWNER/NAME') })
    alice.git('remote', 'add', 'backup', '../backup.git')
    for (const name of ['web', 'fork']) alice.git('remote', 'add', name, `https://github.com/acme/${name}`)
    expect(await alice.headsup(['check'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/--repo OWNER\/NAME, such as acme\/fork, acme\/web\.\n$/),
    })
    const nowhere = workTree(newDirectory(), 'Alice', variables)
    expect(await nowhere.headsup(['check'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('--repo OWNER/NAME'),
    })
    nowhere.git('config', '--global', 'headsup.url', service.url)
    const named = ['start', 'a.ts', '--repo', `${repository.owner}/${repository.name}`]
    expect(await nowhere.headsup(named, { env: { HEADSUP_URL: '' } })).toMatchObject({
      code: 0,
      out: expect.stringContaining('“Work without a branch”: “Alice”\n'),
    })
  })

  it('may have over 300 changed files, of which those that are not sent are collapsed into directories', async () => {
    for (let index = 0; index < 550; index++) alice.write(`${index < 250 ? 'a' : 'b'}/${index}.ts`)
    const { scope, changes } = await started(alice)
    expect(changes.files_total).toBe(300)
    expect(scope.paths).toEqual(['b/**'])
  })
})
