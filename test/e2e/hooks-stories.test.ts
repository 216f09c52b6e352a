import { describe, expect, it } from 'vitest'
import { agentSession, dialects } from '../support/agent-session.ts'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
let bob: Clone

// The times are long enough for an overloaded machine. The tokens of the callers read the open pull requests and tell accounts apart.
const times = { waitMs: 60_000, tokenMs: 60_000 }
prepareClones(
  (stage) => {
    ;({ service, repository } = stage)
    alice = stage.clone('Alice', { branch: 'feat/alice' })
    bob = stage.clone('Bob', { token: repository.otherWriter, branch: 'feat/bob' })
  },
  { callers: { times }, permissionCacheMs: 3_600_000 },
)

/** Records work of Carol on the file that the fixtures edit. Returns its id. */
async function carolsWork(branch: string): Promise<string> {
  const body = { title: branch, summary: 'Other.', actor: 'Carol', branch, scope: { paths: ['src/a.ts'] } }
  const { status, body: answer } = await repository.post('/activity', body, { token: repository.otherWriter })
  expect(status).toBe(201)
  return (answer as { activity: { id: string } }).activity.id
}

/** Opens a pull request that changes the same file, from a fork of Alice's account. Waits until the service knows both. */
async function openOwnPullRequest(branch: string, base: string): Promise<void> {
  const author = `writer${repository.id}`
  const fork = service.github.forkRepository(repository, author)
  const files = [{ path: 'src/a.ts', lines: [[1, 5]] as const }]
  await service.github.openPullRequest(repository, { head: branch, base, from: fork, author, files })
  const own = () => repository.get('/activity?source=pull_request&mine=true', { token: repository.writer })
  await expect.poll(own, { timeout: 30_000 }).toMatchObject({ body: { items: [{ changes: { files_total: 1 } }] } })
}

const names = Object.keys(dialects) as (keyof typeof dialects)[]
/** Without those that differ from another one by their command line alone. */
const hosts = names.filter((name) => !name.includes(' by ') && name !== 'devin')

describe('two sessions that begin on a file together', () => {
  it.each(hosts)('are both told, once each: %s first, Claude Code second', async (name) => {
    const [first, second] = [agentSession(alice, name), agentSession(bob, 'claude')]
    await first.tell('session-start')
    await second.tell('session-start')
    expect(await first.tell('before-edit')).toBe('')
    const atOnce = await second.tell('before-edit')
    expect(atOnce).toContain(`“Alice” (with “${first.dialect.agent}”)`)
    expect(atOnce).toMatch(
      /\nYou have just edited there: tell the user before you go on; `headsup check PATH` says more\.\s*$/,
    )
    alice.write('src/a.ts')
    // No other edit has to follow.
    const told = [await first.tell('after-tool'), await first.tell('before-edit'), await first.tell('after-tool')]
    expect(told).toEqual([expect.stringContaining('“Bob” (with “claude-code”)'), '', ''])
    expect(told[0]).toMatch(/\nThis collides with your changes: tell the user before you go on; .*\n$/)
  })
})

describe('a session whose lines another one begins to edit within a minute', () => {
  // One whose model reads before an edit, and one whose model reads after a tool. That each host passes on what is found after a tool
  // is stated above.
  it.each(['claude', 'cursor'] as const)('is told with its next tool, once: %s', async (name) => {
    const [first, second] = [agentSession(alice, name), agentSession(bob, 'claude')]
    await first.tell('session-start')
    await second.tell('session-start')
    expect(await first.tell('before-edit')).toBe('')
    alice.write('src/a.ts')
    expect(await first.tell('after-tool')).toBe('')
    expect(await second.tell('before-edit')).toContain(`“Alice” (with “${first.dialect.agent}”)`)
    const told = [await first.tell('after-tool'), await first.tell('after-tool')]
    expect(told).toEqual([expect.stringContaining('“Bob” (with “claude-code”)'), ''])
    expect(told[0]).toMatch(/\nThis collides with your changes: tell the user before you go on; .*\n$/)
  })
})

describe('a session on stacked branches, with an own pull request from a fork', () => {
  it.each(names)('is told of the work of others alone: %s', async (name) => {
    const { dialect, tell } = agentSession(alice, name)
    alice.write('src/a.ts', 'a\nb\nc\nd\ne\n')
    alice.commit()
    alice.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    alice.git('config', 'branch.feat/alice.gh-merge-base', 'feat/base')
    alice.git('branch', 'feat/base')
    await openOwnPullRequest('feat/alice', 'feat/base')
    await tell('session-start')
    const [recorded] = (await repository.page('/activity?actor=Alice')).items
    expect(recorded).toMatchObject({ agent: dialect.agent, base_branch: 'feat/base' })
    const [base, other] = [await carolsWork('feat/base'), await carolsWork('other')]
    const told = { 'before-edit': await tell('before-edit'), 'after-tool': await tell('after-tool') }
    expect(told[dialect.told]).toContain(other)
    expect(told[dialect.told]).not.toContain(base)
    expect(told[dialect.told]).not.toContain('#1')
    expect(told[dialect.told === 'before-edit' ? 'after-tool' : 'before-edit']).toBe('')
  })
})

describe('a hook that can not check', () => {
  it.each(hosts)('says so in one line where the user reads it, and lets the agent go on: %s', async (name) => {
    const { dialect, send } = agentSession(alice, name)
    const expectLine = async (event: 'before-edit' | 'after-tool', env: Record<string, string>, words: string) => {
      const { code, out, err } = await send(event, {}, env)
      expect(code).toBe(0)
      const line = expect.stringMatching(new RegExp(`^Headsup could not check: [^\\n]*${words}[^\\n]*\\n?$`))
      const place = event === 'before-edit' ? dialect.fails : dialect.failsAfter
      if (place === 'stderr') expect({ out, err }).toEqual({ out: '', err: line })
      else expect({ out: JSON.parse(out), err }).toEqual({ out: { systemMessage: line }, err: '' })
    }
    await expectLine('before-edit', { HEADSUP_URL: 'http://127.0.0.1:9' }, 'not listening')
    await expectLine('after-tool', { GITHUB_TOKEN: 'ghp_expired' }, 'token')
  })
})
