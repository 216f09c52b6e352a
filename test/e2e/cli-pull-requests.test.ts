import { describe, expect, it } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import { type Clone, jsonOf } from '../support/command-line.ts'
import { changedFile, insertPullRequest } from '../support/observed.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone

prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice')
  alice.write('list.txt', lines())
  alice.commit()
  alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
  alice.git('checkout', '-q', '-b', 'feat/login')
})

/** A text of 40 lines, of which some are changed. */
function lines(...changed: number[]): string {
  return Array.from({ length: 40 }, (_, n) => `${changed.includes(n + 1) ? 'LINE' : 'line'} ${n + 1}\n`).join('')
}

/** An open pull request of bob that changes line 20. */
async function bobsPullRequest(more: Parameters<typeof insertPullRequest>[3] = {}) {
  const files = [changedFile('list.txt', { lines: [[20, 20]] })]
  return insertPullRequest(service.db, repository, service.clock.now(), {
    files,
    ...more,
    activity: { actor: 'bob', author_login: 'bob', ...more.activity },
  })
}

describe('an open pull request', () => {
  it('collides where the lines of the work tree touch its lines, and is near elsewhere in the file', async () => {
    const { id } = await bobsPullRequest()
    alice.write('list.txt', lines(20))
    expect(await jsonOf(alice, 'check')).toMatchObject({
      overlap_detected: true,
      severity: 'high',
      collisions: [{ activity_id: id, example_path: 'list.txt', lines: [[20, 20]], their_lines: [[20, 20]] }],
    })
    expect((await alice.headsup(['check'])).out).toMatch(
      /^“bob” changes the lines you change\.\nOverlap, high severity\..*#12.*20/m,
    )
    alice.write('list.txt', lines(5))
    expect(await jsonOf(alice, 'check')).toMatchObject({
      overlap_detected: false,
      nearby_activity_ids: [id],
      nearby_count: 1,
    })
    const { out } = await alice.headsup(['check'])
    expect(out).toMatch(/^Nothing recorded collides with you, and 1 works near you\.\nNo overlap\./)
    expect(out).toMatch(/\n {2}Near, and no overlap: .*#12/)
  })

  it('is the same change where the work tree has the same content, also of an untracked file', async () => {
    alice.write('list.txt', lines(20))
    alice.write('src/new.ts', 'x')
    const blob = (path: string) => alice.git('hash-object', path).trim()
    const { id } = await bobsPullRequest({
      files: [
        changedFile('list.txt', { lines: [[20, 20]], blob: blob('list.txt') }),
        changedFile('src/new.ts', { status: 'added', lines: [[0, 1]], blob: blob('src/new.ts') }),
      ],
    })
    expect((await alice.headsup(['check'])).out).toContain(
      'this change is open already as #12, in “list.txt” and 1 more file',
    )
    expect(await jsonOf(alice, 'start')).toMatchObject({
      overlap: { clear: false, collisions: [{ activity_id: id, severity: 'high', same_change: true }] },
    })
    alice.write('list.txt', lines(20, 30))
    alice.write('src/new.ts', 'y')
    const { collisions } = await jsonOf(alice, 'check')
    expect(collisions).toMatchObject([{ activity_id: id, severity: 'high' }])
    expect(collisions[0]).not.toHaveProperty('same_change')
  })

  it('is told by lines first by check and start, and then what the merge with it says', async () => {
    await bobsPullRequest()
    alice.write('list.txt', lines(5))
    // The stand-in for GitHub serves no git.
    const tried =
      /^No overlap by lines\. .*\n {2}Near, and no overlap: [^\n]*#12[^\n]*\n {2}Not tried, so by lines alone: #12 \(.*\)\./ms
    for (const command of ['check', 'start']) {
      alice.git('config', 'headsup.merge', 'true')
      expect((await alice.headsup([command])).out).toMatch(tried)
      const answer = await jsonOf(alice, command)
      expect(answer.overlap ?? answer).toMatchObject({ target: { merge: 'not_tried' } })
      expect((await alice.headsup([command, '--no-merge'])).out).toMatch(/^No overlap\. /m)
      alice.git('config', 'headsup.merge', 'false')
      expect((await alice.headsup([command])).out).toMatch(/^No overlap\. /m)
    }
  })

  it('in a named directory is told, and then nothing says that all is clear', async () => {
    await bobsPullRequest({ files: [changedFile('src/auth/login.ts', { lines: [[20, 20]] })] })
    for (const command of ['check', 'start']) {
      const { out } = await alice.headsup([command, 'src/auth'])
      expect(out).toMatch(
        /No overlap is known\. .*\n {2}Others change files in these paths: #12 .*line 20 of “src\/auth\/login\.ts”/s,
      )
      expect(out).toMatch(/Next: .*Name the files that you will change, and check again/s)
      expect(out.toLowerCase()).not.toContain('go ahead')
    }
  })

  it('collides with the lines that start and later updates saved', async () => {
    const { id } = await bobsPullRequest()
    const { activity } = await jsonOf(alice, 'start', 'docs')
    alice.write('list.txt', lines(20))
    expect((await alice.headsup(['update', '--title', 'Other'])).code).toBe(0)
    const saved = (await repository.get(`/activity/${activity.id}`)).body
    expect(saved).toMatchObject({
      changes: { by: 'client', files: [{ path: 'list.txt', status: 'modified', lines: [[20, 20]] }] },
    })
    const found = await repository.check({ activity_id: activity.id })
    expect(found.related_activity_ids).toEqual([id])
    alice.git('checkout', '-q', '--', 'list.txt')
    expect((await alice.headsup(['hook', 'git', 'pre-push'])).code).toBe(0)
    expect((await repository.check({ activity_id: activity.id })).related_activity_ids).toEqual([])
  })

  it('of the own branch is told by start, and then listed no more beside the recorded work', async () => {
    await bobsPullRequest({ pull: { head_ref: 'feat/login' }, activity: { branch: 'feat/login' } })
    expect((await alice.headsup(['list'])).out).toContain('but 1 open pull request; --all shows them')
    expect((await alice.headsup(['start'])).out).toContain('seen already as #12')
    expect((await alice.headsup(['list', '--all'])).out.match(/act_/g)).toHaveLength(1)
    expect((await alice.headsup(['list'])).out).not.toContain('--all')
  })

  it('is told by the hooks of Claude Code before an edit', async () => {
    await bobsPullRequest()
    alice.write('list.txt', lines(20))
    const event = { session_id: 's1', cwd: alice.path, hook_event_name: 'PreToolUse', tool_name: 'Edit' }
    const input = JSON.stringify({ ...event, tool_input: { file_path: `${alice.path}/list.txt` } })
    const { out } = await alice.headsup(['hook', 'claude'], { input })
    expect(JSON.parse(out).hookSpecificOutput.additionalContext).toMatch(/high severity.*#12.*list\.txt/s)
  })
})

it('changes at the limits are taken', async () => {
  for (let index = 0; index < 400; index++) alice.write(`src/${index}/${'long name '.repeat(15)}.ts`)
  alice.write('list.txt', lines())
  const { activity } = await jsonOf(alice, 'start')
  expect(activity.changes).toMatchObject({ by: 'client', files_total: 300 })
})
