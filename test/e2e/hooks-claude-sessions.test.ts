import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useClaude } from './claude-hooks.ts'

const at = useClaude()
const { runHook, edit, live, otherWork, holdRequests } = at

describe('a session of Claude Code', () => {
  it('is recorded as work from start to end, with its changed files', async () => {
    const notable = await at.repository.raised({ title: 'Sessions move' })
    const { output } = await runHook('SessionStart', { source: 'startup' })
    expect(output.hookSpecificOutput).toMatchObject({ hookEventName: 'SessionStart' })
    expect(output.hookSpecificOutput.additionalContext).toContain(notable.id)
    const [activity] = await live()
    expect(activity).toMatchObject({ agent: 'claude-code', actor: 'Alice', branch: 'feat/login', base_branch: 'main' })
    at.alice.write('src/new.ts')
    await runHook('PostToolUse', edit('src/new.ts', { tool_response: {} }))
    expect(await live()).toMatchObject([
      { id: activity?.id, scope: { paths: [] }, scope_changed: ['src'], heartbeat_at: expect.any(String) },
    ])
    at.alice.git('clean', '-q', '-f', '-d')
    await runHook('SessionEnd', { reason: 'prompt_input_exit' })
    expect(await live()).toEqual([])
  })

  it('continues after /clear, compaction and the end of a concurrent session', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const [activity] = await live()
    await runHook('SessionStart', { source: 'compact' })
    await runHook('SessionEnd', { reason: 'clear' })
    await runHook('SessionStart', { source: 'clear', session_id: 's2' })
    await runHook('SessionStart', { source: 'startup', session_id: 's3' })
    await runHook('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toMatchObject([{ id: activity?.id }])
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it('that starts while another one starts ends none of its work', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const proxy = await holdRequests('PATCH')
    const slow = runHook('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionStart', { source: 'startup', session_id: 's3' })
    proxy.release()
    await slow
    await runHook('SessionEnd', { reason: 'other' })
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toHaveLength(1)
    await runHook('SessionEnd', { reason: 'other', session_id: 's3' })
    expect(await live()).toEqual([])
  })

  it('that creates the work while another one does takes part in it', async () => {
    const proxy = await holdRequests('POST')
    const slow = runHook('SessionStart', { source: 'startup' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionStart', { source: 'startup', session_id: 's2' })
    proxy.release()
    const { output } = await slow
    const [id] = /act_\w+/.exec(output.hookSpecificOutput.additionalContext.split('recorded as')[1]) ?? []
    const isLive = async () => (await live()).some((activity) => activity.id === id)
    await runHook('SessionEnd', { reason: 'other' })
    expect(await isLive()).toBe(true)
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await isLive()).toBe(false)
  })

  it('that ends while another one starts takes no part in the work any more', async () => {
    await runHook('SessionStart', { source: 'startup' })
    const proxy = await holdRequests('PATCH')
    const slow = runHook('SessionStart', { source: 'startup', session_id: 's2' }, { HEADSUP_URL: proxy.url })
    await proxy.arrived
    await runHook('SessionEnd', { reason: 'clear' })
    proxy.release()
    await slow
    await runHook('SessionEnd', { reason: 'other', session_id: 's2' })
    expect(await live()).toEqual([])
  })

  it.each([
    ['that a killed process left behind', (lock: string) => utimesSync(lock, 0, 0)],
    ['of another process', () => {}],
  ])('is recorded despite a lock %s', async (_, prepare) => {
    const directory = join(at.alice.path, at.alice.git('rev-parse', '--git-path', 'headsup').trim())
    mkdirSync(directory)
    writeFileSync(join(directory, 'work.json.lock'), '')
    prepare(join(directory, 'work.json.lock'))
    const { output } = await runHook('SessionStart', { source: 'startup' })
    expect(output.hookSpecificOutput.additionalContext).toContain('recorded as')
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toEqual([])
  })

  it('does not archive work that a person created, or that has a pull request', async () => {
    await at.alice.headsup(['start', '--title', 'Mine'])
    await runHook('SessionStart', { source: 'startup' })
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toMatchObject([{ title: 'Mine' }])
    at.alice.git('checkout', '-q', '-b', 'feat/b')
    await runHook('SessionStart', { source: 'startup' })
    await at.alice.headsup([
      'update',
      '--pr-url',
      `https://github.com/${at.repository.owner}/${at.repository.name}/pull/1`,
    ])
    await runHook('SessionEnd', { reason: 'other' })
    expect(await live()).toHaveLength(2)
  })

  it('records a branch that is created during it, but not work that the user finished', async () => {
    await runHook('SessionStart', { source: 'startup' })
    await at.alice.headsup(['done'])
    await runHook('PostToolUse', edit('a.ts'))
    expect(await live()).toEqual([])
    at.alice.git('checkout', '-q', '-b', 'feat/b')
    const { output } = await runHook('SessionStart', { source: 'resume' })
    expect(output.hookSpecificOutput.additionalContext).toContain('recorded as')
    expect(await live()).toMatchObject([{ branch: 'feat/b' }])
  })

  it('of a reader gets collisions and records nothing', async () => {
    await otherWork(['src/**'])
    at.alice.write('src/a.ts')
    const { output } = await runHook('SessionStart', { source: 'startup' }, { GITHUB_TOKEN: at.repository.reader })
    expect(output.hookSpecificOutput.additionalContext).toContain('“Other”')
    expect(await live()).toHaveLength(1)
  })

  it('is not started or ended by a subagent', async () => {
    await runHook('SessionStart', { source: 'startup', agent_id: 'a1', agent_type: 'Explore' })
    expect(await live()).toEqual([])
    await runHook('SessionStart', { source: 'startup' })
    await runHook('SessionEnd', { reason: 'other', agent_id: 'a1' })
    expect(await live()).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  const start = () => runHook('SessionStart', { source: 'startup' })
  const end = () => runHook('SessionEnd', { reason: 'other' })
  const pushTo = (branch: string) => at.alice.git('push', '-q', '.', `HEAD:refs/remotes/origin/${branch}`)
  const commit = (file = 'src/new.ts') => {
    at.alice.write(file)
    at.alice.commit()
  }

  it.each<[string, () => unknown]>([
    ['has no changes', () => {}],
    [
      'is behind its base',
      () => {
        at.alice.git('checkout', '-q', 'main')
        commit()
        pushTo('main')
        at.alice.git('checkout', '-q', 'feat/login')
      },
    ],
    ['differs by our own hooks only', () => at.alice.headsup(['hook', 'install', 'claude', '--local'])],
    ['is not checked out any more, and has no commit', () => at.alice.git('checkout', '-q', '--detach')],
  ])('archives work whose branch %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toEqual([])
  })

  it('archives work on a detached head that equals its base', async () => {
    at.alice.git('checkout', '-q', '--detach')
    await start()
    await end()
    expect(await live()).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['an untracked file', () => at.alice.write('src/new.ts')],
    ['a changed file', () => at.alice.write('README.md', 'Changed.\n')],
    [
      'a stash',
      () => {
        at.alice.write('README.md', 'Changed.\n')
        at.alice.git('stash')
      },
    ],
    [
      'a changed file that went along to another branch',
      () => {
        at.alice.write('README.md', 'Changed.\n')
        at.alice.git('checkout', '-q', '-b', 'other')
      },
    ],
    [
      'its branch checked out in another work tree',
      () => {
        at.alice.git('checkout', '-q', 'main')
        at.alice.git('worktree', 'add', '-q', '../linked', 'feat/login')
      },
    ],
    ['a deleted file', () => at.alice.git('rm', '-q', 'README.md')],
    ['a commit', () => commit()],
    [
      'a pushed commit',
      () => {
        commit()
        pushTo('feat/login')
      },
    ],
    [
      'a reverted commit',
      () => {
        commit()
        at.alice.git('revert', '--no-edit', 'HEAD')
      },
    ],
    [
      'a commit that is merged locally and not pushed',
      () => {
        commit()
        at.alice.git('branch', '-f', 'main')
      },
    ],
    [
      'a commit that is pushed to a branch of another name',
      () => {
        commit()
        pushTo('alice/login')
        at.alice.git('branch', '-q', '--set-upstream-to', 'origin/alice/login')
      },
    ],
    [
      'a commit, and is not checked out any more',
      () => {
        commit()
        at.alice.git('checkout', '-q', '--detach')
      },
    ],
  ])('does not archive work that has %s', async (_, work) => {
    await start()
    const [activity] = await live()
    await work()
    await end()
    expect(await live()).toMatchObject([{ id: activity?.id }])
  })

  it.each<[string, () => unknown]>([
    [
      'no base branch is known',
      () => {
        at.alice.git('update-ref', '-d', 'refs/remotes/origin/main')
        at.alice.git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD')
        at.alice.git('branch', '-q', '-D', 'main')
      },
    ],
    ['the base branch can not be read', () => at.alice.write('.git/refs/remotes/origin/main', `${'f'.repeat(40)}\n`)],
    [
      'its branch is gone',
      () => {
        at.alice.git('checkout', '-q', 'main')
        at.alice.git('branch', '-q', '-D', 'feat/login')
      },
    ],
  ])('does not archive work where %s', async (_, work) => {
    await start()
    await work()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['has a commit', () => commit()],
    ['has an untracked file', () => at.alice.write('new.ts')],
    ['is not checked out any more', () => at.alice.git('checkout', '-q', 'feat/login')],
  ])('does not archive work on a detached head that %s', async (_, work) => {
    at.alice.git('checkout', '-q', '--detach')
    await start()
    await work()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it.each<[string, () => unknown]>([
    ['is not pushed', () => {}],
    [
      'is pushed to a fork',
      () => {
        at.alice.git('remote', 'add', 'upstream', `https://github.com/${at.repository.owner}/${at.repository.name}`)
        at.alice.git('update-ref', 'refs/remotes/upstream/main', 'HEAD~1')
        pushTo('main')
      },
    ],
  ])('does not archive work on the default branch that %s', async (_, push) => {
    at.alice.git('checkout', '-q', 'main')
    await start()
    commit()
    push()
    await end()
    expect(await live()).toHaveLength(1)
  })

  it('sends the last changes of work that it does not archive', async () => {
    await start()
    await runHook('PostToolUse', edit('src/new.ts'))
    at.alice.write('src/new.ts')
    await end()
    const check = await at.repository.check({ branch: 'other', scope: { paths: ['src/new.ts'] } })
    expect(check).toMatchObject({ overlap_detected: true, related_activity_ids: [(await live())[0]?.id] })
  })

  it('archives the work of a branch without changes, and not that of a changed one', async () => {
    await start()
    at.alice.git('checkout', '-q', '-b', 'feat/other')
    commit()
    await runHook('PostToolUse', edit('src/new.ts'))
    expect(await live()).toHaveLength(2)
    await end()
    expect(await live()).toMatchObject([{ branch: 'feat/other' }])
  })

  it('archives work of an earlier session once it is empty', async () => {
    await start()
    const [activity] = await live()
    at.alice.write('src/new.ts')
    await end()
    await start()
    expect(await live()).toMatchObject([{ id: activity?.id }])
    at.alice.git('clean', '-q', '-f', '-d')
    await end()
    expect(await live()).toEqual([])
  })
})
