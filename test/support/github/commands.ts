import { z } from 'zod'
import { type Command, command, named, onRepository, repository } from './command.ts'
import { type Fault, faults } from './faults.ts'
import { pullCommands } from './pull-commands.ts'
import { addToken } from './tokens.ts'

const nothing = z.object({})

const role = z.enum(['read', 'triage', 'write', 'maintain', 'admin'])
const where = {
  method: z.string().exactOptional(),
  path: z.string().exactOptional(),
  token: z.string().exactOptional(),
}
// A request cannot hold an action.
const { runBefore: _before, runAfter: _after, ...simpleFaults } = faults
/** Faults by name. The optional argument is a number. */
const faultsByName: Record<string, (argument?: number) => Fault> = {
  ...simpleFaults,
  slow: (ms = 10_000) => faults.slow(ms),
  sso: () => faults.sso(),
  ipAllowList: () => faults.ipAllowList(),
  nonsense: () => faults.nonsense(),
}
const argument = z.number().exactOptional()
const count = z.int().exactOptional()

/** The control commands, `POST /_control/{name}`. A repository is `owner/name`. */
export const commands: Record<string, Command> = {
  state: command(nothing, (github) => {
    const { id, slug, privateKey, webhookSecret, hookUrl } = github.data.app
    const { client } = github
    const deliveries = github.data.deliveries.map(({ id, event, action, status }) => ({ id, event, action, status }))
    return {
      url: github.url,
      app: { id, slug, privateKey, webhookSecret, hookUrl, client },
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
  'sign-in-as': command(z.object({ login: z.string().nullable() }), (github, { login }) => github.signInAs(login)),
  install: command(z.object({ login: z.string() }), (github, { login }) => ({ id: github.install(login).id })),
  ...pullCommands,
  'rename-repository': command(onRepository.extend({ name: z.string() }), (github, input) =>
    github.renameRepository(named(github, input.repository), input.name),
  ),
  'lose-next': command(z.object({ count: z.int().default(1) }), (github, { count }) => github.loseNext(count)),
  fail: command(z.object({ fault: z.string(), argument, ...where, skip: count, times: count }), (github, input) => {
    const { fault, argument, ...befalling } = input
    const make = faultsByName[fault]
    if (make === undefined) throw new Error(`a fault is one of ${Object.keys(faultsByName).join(', ')}`)
    github.fail(make(argument), befalling)
  }),
  heal: command(nothing, (github) => github.heal()),
}
