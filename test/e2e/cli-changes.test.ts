import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clone, removeDirectories, sharedRepository } from '../support/command-line.ts'
import { startServiceStub } from '../support/service-stub.ts'

let stub: Awaited<ReturnType<typeof startServiceStub>>
let alice: Clone

afterAll(removeDirectories)
beforeEach(async () => {
  stub = await startServiceStub()
  const variables = { HEADSUP_URL: stub.url, GITHUB_TOKEN: 'ghp_x', HEADSUP_HOOK_LIMIT_MS: '25000' }
  alice = sharedRepository('acme', 'shop').clone('Alice', variables)
  alice.write('list.txt', 'a\nb\nc\nd\n')
  alice.commit()
  alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
  alice.git('checkout', '-q', '-b', 'feat/login')
  alice.write('list.txt', 'a\nB\nc\nd\n')
  alice.write('src/new.ts')
})

/** The changes of the work tree that `beforeEach` makes. */
function expectedChanges() {
  const blob = (path: string) => alice.git('hash-object', path).trim()
  return {
    head_sha: alice.git('rev-parse', 'HEAD').trim(),
    files: [
      { path: 'list.txt', status: 'modified', lines: [[2, 2]], blob: blob('list.txt') },
      { path: 'src/new.ts', status: 'added', lines: [[0, 1]], blob: blob('src/new.ts') },
    ],
  }
}

async function run(...args: string[]) {
  const ended = await alice.headsup(args)
  expect(ended).toMatchObject({ code: 0, err: '' })
  return ended
}

const changesIn = (call: string) => stub.sent(call).map(({ body }) => body.changes)

async function claude(event: string, more: object = {}) {
  const input = JSON.stringify({ session_id: 's1', cwd: alice.path, hook_event_name: event, ...more })
  const { code, out, err } = await alice.headsup(['hook', 'claude'], { input })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

describe('the changed lines and blobs', () => {
  it('are sent by check: all of them, with named areas too, or those below the named paths', async () => {
    await run('check')
    await run('check', 'src')
    await run('check', 'docs')
    await run('check', '--area', 'auth')
    await run('check', 'docs', '--changed')
    const [, added] = expectedChanges().files
    const inSource = { ...expectedChanges(), files: [added] }
    const none = { ...expectedChanges(), files: [] }
    expect(changesIn('POST /activity/check')).toEqual([
      expectedChanges(),
      inSource,
      none,
      expectedChanges(),
      expectedChanges(),
    ])
  })

  it('are not sent as paths too, unless there are more than may be sent', async () => {
    await run('check')
    for (let n = 0; n < 400; n++) alice.write(`many/${n}.ts`)
    await run('check')
    const scopes = stub.sent('POST /activity/check').map(({ body }) => body.scope)
    expect(scopes).toEqual([
      { areas: [], paths: [] },
      { areas: [], paths: ['many/**'] },
    ])
  })

  it('are not sent as paths of a record, unless there are more than may be sent', async () => {
    const scopes = () => stub.requests.flatMap(({ body }) => ('scope' in body ? [body.scope] : []))
    const edit = { tool_name: 'Edit', tool_input: { file_path: join(alice.path, 'README.md') } }
    await claude('SessionStart', { source: 'startup' })
    await claude('PreToolUse', edit)
    await claude('PostToolUse', { ...edit, tool_response: {} })
    await claude('SessionEnd', { reason: 'other' })
    await run('start')
    await run('update', '--changed')
    await run('hook', 'git', 'pre-push')
    expect(scopes()).toEqual(Array.from({ length: 9 }, () => ({ areas: [], paths: [] })))
    stub.requests.length = 0
    for (let n = 0; n < 400; n++) alice.write(`many/${n}.ts`)
    await run('start')
    await run('update', '--changed')
    await run('hook', 'git', 'pre-push')
    expect(scopes()).toEqual(Array.from({ length: 4 }, () => ({ areas: [], paths: ['many/**'] })))
  })

  it('are sent by start, and by start and update of the work', async () => {
    await run('start')
    expect(changesIn('POST /activity')).toEqual([expectedChanges()])
    await run('start', 'docs')
    await run('update', '--title', 'Other')
    expect(changesIn('PATCH /activity/act_1')).toEqual([expectedChanges(), expectedChanges()])
    alice.git('stash', '-q', '-u')
    await run('update', '--title', 'Other')
    expect(changesIn('PATCH /activity/act_1').at(-1)).toMatchObject({ files: [] })
  })

  it('are not sent for another branch and for the work that --id names', async () => {
    await run('check', '--branch', 'other', '--tag', 'x')
    await run('update', '--id', 'act_2', '--title', 'Other')
    expect(stub.requests.filter(({ body }) => 'changes' in body)).toEqual([])
  })

  it('are sent by the git hooks, which do not wait for GitHub', async () => {
    await run('start')
    await run('hook', 'git', 'pre-push')
    expect(changesIn('POST /activity/check')).toEqual([expectedChanges()])
    expect(changesIn('PATCH /activity/act_1')).toEqual([expectedChanges()])
    const prefers = stub.requests.map(({ headers }) => headers.prefer)
    expect(prefers.filter((prefer) => prefer === 'wait=0')).toHaveLength(2)
    expect(prefers[0]).toBeUndefined()
  })

  it('are sent by a session of Claude Code at its start, before an edit, on progress and at its end', async () => {
    await claude('SessionStart', { source: 'startup' })
    expect(changesIn('POST /activity')).toEqual([expectedChanges()])
    const edit = { tool_name: 'Edit', tool_input: { file_path: join(alice.path, 'README.md') } }
    await claude('PreToolUse', edit)
    const [recorded] = stub.sent('PATCH /activity/act_1')
    expect(recorded?.query).toEqual({ overlap: 'true' })
    // The text of this edit is not in the file, so its lines are not known.
    const readme = { path: 'README.md', status: 'modified' }
    expect(recorded?.body).toMatchObject({
      scope: { areas: [], paths: [] },
      changes: { ...expectedChanges(), files: [readme, ...expectedChanges().files] },
    })
    expect(stub.sent('POST /activity/check')).toEqual([])
    await claude('PostToolUse', { ...edit, tool_response: {} })
    await claude('SessionEnd', { reason: 'other' })
    expect(changesIn('PATCH /activity/act_1')).toHaveLength(3)
    expect(changesIn('PATCH /activity/act_1').slice(1)).toEqual([expectedChanges(), expectedChanges()])
    expect(stub.requests.filter(({ headers }) => headers.prefer !== 'wait=0')).toEqual([])
  })

  it('are sent on progress only where they differ from those sent last', async () => {
    const progress = async () => {
      alice.write('.git/headsup/hooks.json', JSON.stringify({ ...state(), lastHeartbeat: 0 }))
      await claude('PostToolUse', { tool_name: 'Bash', tool_input: {} })
    }
    const state = () => JSON.parse(alice.git('-c', 'alias.state=!cat .git/headsup/hooks.json || echo {}', 'state'))
    await claude('SessionStart', { source: 'startup' })
    await progress()
    await progress()
    alice.write('list.txt', 'a\nB\nC\nd\n')
    await progress()
    expect(changesIn('PATCH /activity/act_1')).toMatchObject([
      { files: [{ lines: [[2, 2]] }, {}] },
      undefined,
      { files: [{ lines: [[2, 3]] }, {}] },
    ])
  })

  it('leave out files whose names are not UTF-8, with a note', async () => {
    await alice.shell('printf x > "$(printf \'bad\\377.txt\')"')
    expect(await alice.headsup(['check'])).toMatchObject({
      code: 0,
      err: 'Note: 1 changed file does not count, since its name is not UTF-8.\n',
    })
    expect(changesIn('POST /activity/check')).toEqual([expectedChanges()])
  })
})
