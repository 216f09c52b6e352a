import { z } from 'zod'
import { findRepository, type Repository } from './data.ts'
import { type Fault, faults } from './faults.ts'
import type { Github } from './start.ts'
import { addToken } from './tokens.ts'

interface Command {
  /** The names of its fields; `?` marks the optional ones. */
  takes: string[]
  run(github: Github, body: unknown): Promise<unknown> | unknown
}

function command<Input>(schema: z.ZodType<Input>, run: (github: Github, input: Input) => unknown): Command {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  const takes = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return { takes, run: (github, body) => run(github, schema.parse(body ?? {})) }
}

const nothing = z.object({})

const role = z.enum(['read', 'triage', 'write', 'maintain', 'admin'])
const repository = z.string().regex(/^[^/]+\/[^/]+$/)
const files = z.record(z.string(), z.string().nullable())
const onRepository = z.object({ repository })
const onPull = z.object({ repository, number: z.int() })
const opening = { head: z.string(), base: z.string().exactOptional(), title: z.string().exactOptional() }
const Opening = z.object({
  repository,
  ...opening,
  draft: z.boolean().exactOptional(),
  author: z.string().exactOptional(),
})
const where = {
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  token: z.string().exactOptional(),
}
/** Faults by name. The optional argument is a number. */
const faultsByName: Record<string, (argument?: number) => Fault> = {
  ...faults,
  slow: (ms = 10_000) => faults.slow(ms),
  sso: () => faults.sso(),
  ipAllowList: () => faults.ipAllowList(),
  nonsense: () => faults.nonsense(),
}
const argument = z.number().exactOptional()

/** The control commands, `POST /_control/{name}`. A repository is `owner/name`. */
export const commands: Record<string, Command> = {
  state: command(nothing, (github) => {
    const { id, slug, privateKey, webhookSecret, hookUrl } = github.data.app
    const deliveries = github.data.deliveries.map(({ id, event, action, status }) => ({ id, event, action, status }))
    return {
      url: github.url,
      app: { id, slug, privateKey, webhookSecret, hookUrl },
      requests: github.requests,
      deliveries,
      unknownRequests: github.unknownRequests(),
    }
  }),
  hook: command(z.object({ url: z.string(), secret: z.string().exactOptional() }), ({ data }, { url, secret }) => {
    Object.assign(data.app, { hookUrl: url }, secret === undefined ? {} : { webhookSecret: secret })
  }),
  'add-repository': command(
    z.object({ repository, private: z.boolean().default(true), files: z.record(z.string(), z.string()).default({}) }),
    (github, input) => {
      const [owner = '', name = ''] = input.repository.split('/')
      const { id, ...made } = github.addRepository(name, owner)
      const stored = github.data.repositories.get(Number(id))
      if (stored) Object.assign(stored, { private: input.private, files: new Map(Object.entries(input.files)) })
      return { id: Number(id), ...made }
    },
  ),
  'add-token': command(
    z.object({
      token: z.string(),
      login: z.string(),
      repository: repository.exactOptional(),
      role: role.default('write'),
    }),
    (github, { token, login, ...given }) => {
      addToken(github.data, token, login)
      if (given.repository !== undefined) named(github, given.repository).roles.set(login, given.role)
    },
  ),
  install: command(z.object({ login: z.string() }), (github, { login }) => ({ id: github.install(login).id })),
  push: command(onRepository.extend({ branch: z.string(), files: files.default({}) }), (github, input) =>
    github.push(named(github, input.repository), input.branch, input.files),
  ),
  'delete-branch': command(onRepository.extend({ branch: z.string() }), (github, input) =>
    github.deleteBranch(named(github, input.repository), input.branch),
  ),
  'open-pull-request': command(Opening, async (github, { repository: name, ...input }) => {
    const { number } = await github.openPullRequest(named(github, name), input)
    return { number }
  }),
  'merge-pull-request': command(onPull.extend({ deleteBranch: z.boolean().default(false) }), async (github, input) => {
    await github.mergePullRequest(named(github, input.repository), input.number, { deleteBranch: input.deleteBranch })
  }),
  'close-pull-request': command(onPull, async (github, input) => {
    await github.closePullRequest(named(github, input.repository), input.number)
  }),
  'rename-repository': command(onRepository.extend({ name: z.string() }), (github, input) =>
    github.renameRepository(named(github, input.repository), input.name),
  ),
  'mark-ready': command(onPull, async (github, input) => {
    await github.markReady(named(github, input.repository), input.number)
  }),
  'lose-next': command(z.object({ count: z.int().default(1) }), (github, { count }) => github.loseNext(count)),
  fail: command(
    z.object({ fault: z.string(), argument, ...where, times: z.int().exactOptional() }),
    (github, input) => {
      const { fault, argument, ...befalling } = input
      const make = faultsByName[fault]
      if (make === undefined) throw new Error(`a fault is one of ${Object.keys(faultsByName).join(', ')}`)
      github.fail(make(argument), befalling)
    },
  ),
  heal: command(nothing, (github) => github.heal()),
}

function named(github: Github, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/')
  const found = findRepository(github.data, owner, name)
  if (found === undefined) throw new Error(`the stand-in has no repository ${fullName}`)
  return found
}
