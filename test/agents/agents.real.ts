import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Clone, colleagueOf, workOn } from '../support/command-line.ts'
import { githubApiUrl } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'
import { type AgentName, chosenAgents } from './install.ts'
import { kinds } from './kinds.ts'
import { toldIn } from './model/model.ts'
import { changeLine, runIn, runSession, usePatientHeadsup } from './session.ts'

const headsup = usePatientHeadsup()
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

const file = 'src/auth/login.ts'

/** A repository with a freeze, and the work of a colleague on lines 104 to 106. */
async function scene() {
  const bob = clientOf(service, { login: 'bob' })
  const carol = colleagueOf(service, bob, 'carol')
  const changes = { files: [{ path: file, lines: [[104, 106]] }] }
  const { body } = await carol.post('/activity', { ...work, actor: 'Carol', branch: 'feat/carol', changes })
  const freeze = { title: 'Release freeze', summary: 'Nothing is merged.', category: 'release', blocking: true }
  await carol.post('/notables', { ...freeze, importance: 'critical' })
  return { bob, theirs: body.activity.id as string }
}

/** A clone with the hooks of the agent. */
async function deskOf(client: Client, name: AgentName, url = `${service.url}/`): Promise<Clone> {
  const clone = workOn(service, client, `feat/${name}`)
  const args = [headsup(), 'hook', 'install', kinds[name].hook]
  expect(await runIn(clone, process.execPath, args)).toMatchObject({ code: 0 })
  const path = clone.git('ls-files', '--others')
  clone.write(path, readFileSync(join(clone.path, path), 'utf8').replaceAll(`${service.url}/`, url))
  return clone
}

const recordsOf = async (client: Client, name: AgentName) =>
  (await client.get(`/activity?branch=feat/${name}`)).body.items

describe.each(chosenAgents)('§13 a session of %s', (name) => {
  it('is briefed in its first request, told of a collision with its edit, and of nothing twice', async () => {
    const { bob, theirs } = await scene()
    const clone = await deskOf(bob, name)
    const script = [
      kinds[name].shell(`sed -n 100,110p ${file}; sed -n 18,22p README.md`),
      changeLine(clone, name, file, 105),
      changeLine(clone, name, 'README.md', 20),
    ]
    const requests = await runSession(clone, name, script)
    const [first = [], beforeEdit = [], afterEdit = [], last = []] = requests.map(toldIn)
    expect(first.join()).toContain('“Release freeze”')
    expect(first.join()).not.toContain(theirs)
    expect(beforeEdit).toEqual(first)
    expect(afterEdit.filter((text) => text.includes(`(${theirs})`))).toHaveLength(1)
    expect(last).toHaveLength(afterEdit.length)
    const diff = clone.git('diff', '--numstat', '--', 'src', 'README.md')
    expect(diff).toBe(`1\t1\tREADME.md\n1\t1\t${file}`)
    const { agent } = kinds[name]
    const recorded = { status: 'active', agent, changes: { by: 'client', files_total: expect.any(Number) } }
    expect(await recordsOf(bob, name)).toMatchObject([recorded])
  })

  it('that changes nothing records nothing', async () => {
    const { bob } = await scene()
    const clone = await deskOf(bob, name)
    await runSession(clone, name, [kinds[name].shell('true')])
    expect(await recordsOf(bob, name)).toEqual([])
  })

  it.each(['is away', 'never answers', 'refuses the token'])('whose service %s edits as without hooks', async (how) => {
    const { bob, theirs } = await scene()
    const clone = await deskOf(bob, name, await addressOf(how))
    if (how === 'refuses the token') {
      clone.env.HEADSUP_TOKEN = 'ghp_expired'
      const reqheaders = { authorization: /ghp_expired/ }
      nock(githubApiUrl, { reqheaders }).persist().get(/./).reply(401, { message: 'Bad credentials' })
    }
    const script = [105, 120].map((line) => changeLine(clone, name, file, line))
    const requests = await runSession(clone, name, script)
    expect(clone.git('diff', '--numstat', '--', 'src')).toBe(`2\t2\t${file}`)
    expect(requests.flatMap(toldIn)).toEqual([])
    expect(JSON.stringify(requests)).not.toContain(theirs)
  })
})

async function addressOf(how: string): Promise<string> {
  if (how === 'is away') return 'http://127.0.0.1:9/'
  if (how !== 'never answers') return `${service.url}/`
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
}

describe.each(chosenAgents)('§13 %s by MCP', (name) => {
  it('connects as the documents say, finds the tools, and reads what it collides with', async () => {
    const { bob, theirs } = await scene()
    const clone = workOn(service, bob, `feat/${name}`)
    const { mcp } = kinds[name]
    const { owner, name: repo } = bob.repository
    const check = { name: `${mcp.prefix}check_overlap`, args: { owner, repo, scope: { paths: [file] } } }
    const requests = await runSession(clone, name, mcp.search ? [mcp.search, check] : [check], {
      async afterSetup(program, env) {
        expect(await runIn(clone, program, mcp.add(`${service.url}/mcp`, bob.token), env)).toMatchObject({ code: 0 })
      },
    })
    expect(JSON.stringify(requests.at(-1))).toContain(theirs)
  })
})

const isBoth = chosenAgents.includes('claude') && chosenAgents.includes('codex')

it.runIf(isBoth)('§5 two agents that edit one line at the same moment are both told, one of them at once', async () => {
  const ann = clientOf(service, { login: 'ann' })
  const ben = colleagueOf(service, ann, 'ben')
  const waiting = new Map<number, () => void>()
  // Before each turn they wait for each other.
  const before = (turn: number) =>
    new Promise<void>((resolve) => {
      const go = waiting.get(turn)
      waiting.set(turn, resolve)
      if (!go) return
      go()
      resolve()
    })
  const session = async (client: Client, name: AgentName) => {
    const clone = await deskOf(client, name)
    const script = [105, 120].map((line) => changeLine(clone, name, file, line))
    const shell = kinds[name].shell(`sed -n 100,125p ${file}`)
    return (await runSession(clone, name, [shell, ...script], { before })).map((request) => toldIn(request).length)
  }
  const both = await Promise.all([session(ann, 'claude'), session(ben, 'codex')])
  expect(both.flatMap((told) => told.slice(0, 2))).toEqual([0, 0, 0, 0])
  expect(Math.max(...both.map((told) => told[2] ?? 0))).toBe(1)
  expect(both.map((told) => told.at(-1))).toEqual([1, 1])
})
