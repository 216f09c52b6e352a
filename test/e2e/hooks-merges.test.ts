import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptPlaceOf, saveMergedFiles } from '../../src/cli/merge/kept/kept-files.ts'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import { newDirectory } from '../support/command-line.ts'
import { changedFile, insertPullRequest } from '../support/observed.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let cache: string

const headSha = 'b'.repeat(40)

prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice')
  alice.write('list.txt', lines())
  alice.commit()
  alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
  alice.git('checkout', '-q', '-b', 'feat/login')
  alice.git('config', 'headsup.merge', 'true')
  cache = newDirectory()
})

/** A text of 40 lines, of which some are changed. */
function lines(changes: Record<number, string> = {}): string {
  return Array.from({ length: 40 }, (_, n) => `${changes[n + 1] ?? `line ${n + 1}`}\n`).join('')
}

/** Bob's pull request says that it changes these lines. Its file, as an earlier try has kept it, changes line 20. */
async function bobsPullRequest(reported: [number, number] = [20, 20], keptHead = headSha): Promise<string> {
  const { id } = await insertPullRequest(service.db, repository, service.clock.now(), {
    files: [changedFile('list.txt', { lines: [reported] })],
    activity: { actor: 'bob', author_login: 'bob' },
    pull: { head_sha: headSha, files_head_sha: headSha },
  })
  const workTree = { top: alice.path, gitDirectory: join(alice.path, '.git') }
  const place = keptPlaceOf({ XDG_CACHE_HOME: cache }, workTree, repository.writer)
  if (!place) throw new Error('There is a folder.')
  const theirs = Buffer.from(lines({ 20: 'theirs' }))
  const file = { base: Buffer.from(lines()), theirs }
  const entry = { activity_id: id, head_sha: keptHead, target_sha: 'c'.repeat(40), file }
  saveMergedFiles(place, new Map([['list.txt', [entry]]]), Date.now() - 300_000)
  return id
}

/** What the model reads. */
async function hook(name: string, more: object = {}, session_id = 's1'): Promise<string> {
  const event = { session_id, transcript_path: '/tmp/t', cwd: alice.path, hook_event_name: name, ...more }
  // The heads that are fetched in the background are not at GitHub.
  const env = { XDG_CACHE_HOME: cache, https_proxy: 'http://127.0.0.1:9' }
  const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event), env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out === '' ? '' : (JSON.parse(out).hookSpecificOutput?.additionalContext ?? '')
}

function editOf(old_string: string, new_string: string) {
  return { tool_name: 'Edit', tool_input: { file_path: join(alice.path, 'list.txt'), old_string, new_string } }
}

describe('before an edit', () => {
  it('a conflict is told with the age of what it was tried with', async () => {
    const id = await bobsPullRequest()
    const told = await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
    expect(told).toMatch(/^Headsup, high severity\./)
    expect(told).toContain(
      `Tried with what was fetched 5 min ago: your work and #12 do not merge. Conflict in “list.txt” (your line 20, theirs 20). [${id}]`,
    )
  })

  it('a conflict is told where lines see none', async () => {
    await bobsPullRequest([35, 35])
    const told = await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
    expect(told).toMatch(/^Headsup, high severity\.(.|\n)*#12 do not merge/)
  })

  it('a clean merge is low, and stays told', async () => {
    await bobsPullRequest([5, 6])
    const told = await hook('PreToolUse', editOf('line 5\n', 'mine\n'))
    expect(told).toMatch(
      /^Headsup, low severity\.(.|\n)*Tried with what was fetched 5 min ago: your work and #12 merge\./,
    )
  })

  it('lines alone decide where their head has moved since, and that is said', async () => {
    await bobsPullRequest([20, 20], 'd'.repeat(40))
    const told = await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
    expect(told).toMatch(/^Headsup, high severity\.(.|\n)*by lines alone: #12 \(it was pushed since it was fetched\)/)
  })

  it('lines alone decide where it is switched off', async () => {
    await bobsPullRequest()
    alice.git('config', 'headsup.merge', 'false')
    const told = await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
    expect(told).toMatch(/^Headsup, high severity\./)
    expect(told).not.toMatch(/[Tt]ried/)
  })

  it('nothing is fetched, and nothing is left in the clone', async () => {
    await bobsPullRequest()
    await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
    expect(existsSync(join(alice.path, '.git/FETCH_HEAD'))).toBe(false)
    expect(readdirSync(cache, { recursive: true }).map(String)).not.toContainEqual(
      expect.stringMatching(/asked\.json$/),
    )
  })
})

it.each(['SessionStart', 'PostToolUse'])(
  '%s tells what was tried, and has heads fetched for later hooks',
  async (name) => {
    await bobsPullRequest()
    alice.write('list.txt', lines({ 20: 'mine' }))
    if (name === 'PostToolUse') await hook('SessionStart', { source: 'startup' }, 'other')
    const told = await hook(name, name === 'PostToolUse' ? editOf('a', 'b') : { source: 'startup' })
    expect(told).toContain('#12 do not merge')
    expect(readdirSync(cache, { recursive: true }).map(String)).toContainEqual(expect.stringMatching(/asked\.json$/))
  },
)

it('in the minute after an edit was recorded, a conflict that lines do not see is told by the next tool, once', async () => {
  await hook('SessionStart', { source: 'startup' })
  const edit = editOf('line 20\n', 'mine\n')
  await hook('PreToolUse', edit)
  alice.write('list.txt', lines({ 20: 'mine' }))
  await hook('PostToolUse', edit)
  await bobsPullRequest([35, 35])
  const other = { tool_name: 'Bash', tool_input: { command: 'true' } }
  const told = [await hook('PostToolUse', other), await hook('PostToolUse', other)]
  expect(told).toEqual([expect.stringMatching(/^Headsup, high severity\.(.|\n)*#12 do not merge/), ''])
})

it('a git hook tells it, too', async () => {
  await bobsPullRequest()
  alice.write('list.txt', lines({ 20: 'mine' }))
  alice.commit()
  const { err } = await alice.headsup(['hook', 'git', 'pre-push'], { env: { XDG_CACHE_HOME: cache } })
  expect(err).toContain('Tried with what was fetched 5 min ago: your work and #12 do not merge.')
})

it('nothing is kept once no token is found any more', async () => {
  await bobsPullRequest()
  const { code } = await alice.headsup(['check'], { env: { XDG_CACHE_HOME: cache, GITHUB_TOKEN: '' } })
  expect([code, existsSync(join(cache, 'headsup', 'merged'))]).toEqual([3, false])
})

it('what was kept a day ago is removed by the next command, which keeps nothing itself', async () => {
  await bobsPullRequest()
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const then = new Date(Date.now() - 25 * 3_600_000)
  for (const { parentPath, name } of kept) utimesSync(join(parentPath, name), then, then)
  await alice.headsup(['list'], { env: { XDG_CACHE_HOME: cache } })
  expect(readdirSync(join(cache, 'headsup', 'merged'))).toEqual([])
})
