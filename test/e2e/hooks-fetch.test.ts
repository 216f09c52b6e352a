import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveChanges } from '../../src/service/records/activity/details/changes.sql.ts'
import { type Clone, newDirectory, removeDirectories, workTree } from '../support/command-line.ts'
import { type GitServer, serverToken, startGitServer } from '../support/git-server.ts'
import { changedFile, insertPullRequest } from '../support/observed.ts'
import { startTestService, type TestService } from '../support/service.ts'

let server: GitServer
let service: TestService
let alice: Clone
const cache = newDirectory()
const cleanUps: (() => void | Promise<void>)[] = []

/** Of Bob, who changes line 20 of a file. */
const pull = 'refs/pull/12/head'

beforeAll(async () => {
  server = await startGitServer((cleanUp) => cleanUps.push(cleanUp))
  server.add([
    { ref: 'refs/heads/main', files: { 'list.txt': lines() } },
    { ref: pull, from: 'refs/heads/main', files: { 'list.txt': lines({ 20: 'theirs' }) } },
  ])
  service = await startTestService({ githubServerUrl: server.url.origin })
  const path = newDirectory()
  const env = { HEADSUP_URL: service.url, GITHUB_TOKEN: serverToken, XDG_CACHE_HOME: cache }
  // Long enough for an overloaded machine.
  alice = workTree(path, 'Alice', { ...env, HEADSUP_HOOK_LIMIT_MS: '25000', HEADSUP_MERGE_LIMIT_MS: '60000' })
  alice.git('clone', '-q', `file://${server.directory}`, '.')
  alice.git('remote', 'set-url', 'origin', server.url.href)
  alice.git('checkout', '-q', '-b', 'feat/login')
})
afterAll(async () => {
  await service.stop()
  for (const cleanUp of cleanUps) await cleanUp()
  removeDirectories()
})

/** A text of 40 lines, of which some are changed. */
function lines(changes: Record<number, string> = {}): string {
  return Array.from({ length: 40 }, (_, n) => `${changes[n + 1] ?? `line ${n + 1}`}\n`).join('')
}

/** What the model reads. */
async function hook(name: string, more: object, session_id = 's1'): Promise<string> {
  const event = { session_id, transcript_path: '/tmp/t', cwd: alice.path, hook_event_name: name, ...more }
  const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out === '' ? '' : (JSON.parse(out).hookSpecificOutput?.additionalContext ?? '')
}

function editOf(old_string: string, new_string: string) {
  return { tool_name: 'Edit', tool_input: { file_path: join(alice.path, 'list.txt'), old_string, new_string } }
}

/** The text of the file in the cache whose name ends like this; empty where there is none. */
function cached(end: RegExp): { path: string; text: string } {
  const found = readdirSync(cache, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && end.test(entry.name),
  )
  const path = found ? join(found.parentPath, found.name) : ''
  return { path, text: path && readFileSync(path, 'utf8') }
}
/** The file of a head, whose name is a hash. */
const keptFile = () => cached(/^[0-9a-f]{32}\.json$/).text

it('a session has heads fetched in the background, by which the hooks before an edit are exact', async () => {
  const repository = service.as(service.github.addRepository('app'))
  service.github.addToken(serverToken, 'alice')
  service.github.allow(repository, serverToken, 'write')
  const head = server.commitOf(pull)
  const { id } = await insertPullRequest(service.db, repository, service.clock.now(), {
    files: [changedFile('list.txt', { lines: [[20, 20]] })],
    activity: { actor: 'bob', author_login: 'bob' },
    pull: { head_sha: head, files_head_sha: head },
  })
  alice.write('list.txt', lines({ 1: 'mine' }))
  await hook('SessionStart', { source: 'startup' })
  await expect.poll(keptFile).toContain(head)
  // From here on a hook that waits for the server would be noticed.
  server.requests.length = 0
  server.answer = () => {}
  const clean = await hook('PreToolUse', editOf('line 22\n', 'mine\n'))
  expect(clean).toMatch(/^Headsup, low severity\.(.|\n)*fetched just now: your work and #12 merge\./)
  const conflict = await hook('PreToolUse', editOf('line 20\n', 'mine\n'))
  expect(conflict).toMatch(/^Headsup, high severity\./)
  expect(conflict).toContain('your work and #12 do not merge. Conflict in “list.txt” (your line 20, theirs 20).')
  expect(server.requests).toEqual([])

  // Bob pushes.
  server.answer = undefined
  server.add([{ ref: pull, from: 'refs/heads/main', files: { 'list.txt': lines({ 20: 'theirs', 22: 'theirs' }) } }])
  const headSha = server.commitOf(pull)
  const pushed = [changedFile('list.txt', { lines: [[20, 22]] })]
  const activity = await service.db.prisma.activity.findFirstOrThrow({ where: { id } })
  const read = { by: 'github', headSha, files: pushed, filesTotal: 1, readAt: service.clock.now() } as const
  await service.db.transaction((tx) => saveChanges(tx, activity, read))
  expect(await hook('PreToolUse', editOf('line 22\n', 'mine\n'), 's2')).toContain(
    'by lines alone: #12 (it was pushed since it was fetched)',
  )
  const { path, text } = cached(/^asked\.json$/)
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), at: JSON.parse(text).at - 300_000 }))
  await hook('PostToolUse', editOf('line 1\n', 'mine\n'))
  await expect.poll(keptFile).toContain(headSha)
  expect(await hook('PreToolUse', editOf('line 22\n', 'mine\n'), 's3')).toContain('your work and #12 do not merge.')
})
