import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../support/database.ts'
import { startGithub } from '../support/github/start.ts'
import { connectModel } from '../support/mcp.ts'
import { startBuiltService } from '../support/service-server.ts'

const Schema = z.object({ required: z.array(z.string()).default([]), properties: z.record(z.string(), z.unknown()) })
const Begun = z.object({
  activity: z.object({ id: z.string() }),
  overlap: z.object({ overlap_detected: z.boolean(), related_activity_ids: z.array(z.string()) }),
})

/** An agent that knows only the page for agents, the list of tools, and a value for each parameter. */
async function agent(base: string, token: string, known: Record<string, unknown>) {
  const page = await (await fetch(`${base}/llms.txt`)).text()
  const path = /\*\*MCP\*\*.*? at (\/\S+) of this host/.exec(page)?.[1]
  expect(path).toBe('/mcp')
  const model = await connectModel(base, token)
  onTestFinished(() => model.close())
  const { tools } = await model.client.listTools()
  return async (pattern: RegExp, more: Record<string, unknown> = {}) => {
    const found = tools.filter(({ name, title, description }) => pattern.test(`${name}\n${title}\n${description}`))
    expect(found.map(({ name }) => name)).toHaveLength(1)
    const [tool] = found
    const { required } = Schema.parse(tool?.inputSchema)
    const values: Record<string, unknown> = { ...known, ...more }
    const args = Object.fromEntries(required.map((member) => [member, values[member]]))
    return model.done<unknown>(tool?.name ?? '', { ...args, ...more })
  }
}

it('an agent can do the whole story from llms.txt and the list of tools', async () => {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const where = { DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url }
  const program = await startBuiltService(where)
  onTestFinished(async () => {
    await program.end()
  })
  const { owner, name, writer } = github.addRepository('story')
  const known = {
    repository: `${owner}/${name}`,
    title: 'Login',
    summary: 'Rework it.',
    actor: 'Alice',
    importance: 'high',
    category: 'migration',
  }
  const scope = { paths: ['src/auth/**'] }
  const alice = await agent(program.url, writer, known)
  const bob = await agent(program.url, writer, { ...known, actor: 'Bob' })
  expect(await alice(/Check for overlap/, { scope })).toMatchObject({ overlap_detected: false })
  const first = Begun.parse(await alice(/Announce work/, { scope, branch: 'a' }))
  const second = Begun.parse(await bob(/Announce work/, { scope, branch: 'b' }))
  expect(second.overlap).toMatchObject({ overlap_detected: true, related_activity_ids: [first.activity.id] })
  const own = { activity_id: first.activity.id }
  expect(await alice(/work goes on$/m, own)).toMatchObject({ id: own.activity_id })
  expect(await alice(/Raise a notable/, { scope })).toMatchObject({ status: 'active' })
  expect(await alice(/Change an activity/, { ...own, status: 'paused' })).toMatchObject({ status: 'paused' })
  expect(await alice(/End an activity/, own)).toMatchObject({ status: 'archived' })
})
