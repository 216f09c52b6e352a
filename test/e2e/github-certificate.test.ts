import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, errorOf, refusal } from '../support/client.ts'
import { removeDirectories, sharedRepository } from '../support/command-line.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Github, type PrivateRepository, startGithub } from '../support/github/start.ts'
import { type Program, startProgram } from '../support/program.ts'
import { certificatesFile, startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts'

let github: Github
let repository: PrivateRepository
let proxy: TlsProxy
let database: Awaited<ReturnType<typeof createTestDatabase>>
let program: Program

const work = { title: 'T', summary: 'S', actor: 'A', branch: 'feat' }

beforeAll(async () => {
  github = await startGithub()
  github.install('acme')
  repository = github.addRepository('certified')
  proxy = await startTlsProxy(github.url)
  database = await createTestDatabase()
  const { id, privateKey, webhookSecret } = github.data.app
  program = await startProgram(
    {
      ...{ DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: proxy.url },
      ...{ NODE_EXTRA_CA_CERTS: certificatesFile, HEADSUP_PERMISSION_CACHE_MS: '3600000' },
      ...{ APP_ID: String(id), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: webhookSecret },
      HEADSUP_RECONCILE_INTERVAL_MS: '200',
    },
    '.',
  )
  github.data.app.hookUrl = `${program.url}/api/github/webhooks`
  expect((await ask('POST', work)).status).toBe(201)
  proxy.use('expired')
})
afterAll(async () => {
  await program.end()
  await proxy.stop()
  await github.stop()
  await database.drop()
  removeDirectories()
})

const ask = (method: string, body?: object, token = repository.writer) =>
  call(`${program.url}/api/v1/repos/${repository.owner}/${repository.name}/activity`, {
    ...{ method, token },
    ...(body ? { body } : {}),
  })

describe("while GitHub's certificate is expired", () => {
  it('callers whose permission is cached read and write, and the service is ready', async () => {
    expect((await ask('GET')).status).toBe(200)
    expect((await ask('POST', work)).status).toBe(201)
    expect((await call(`${program.url}/readyz`)).status).toBe(200)
  })

  it('other callers get 503 that names the certificate, and so does the log', async () => {
    const answer = await ask('GET', undefined, repository.otherWriter)
    expect(refusal(answer)).toEqual({ status: 503, code: 'github_unavailable' })
    expect(errorOf(answer).message).toContain(`at ${proxy.url}: its certificate has expired (CERT_HAS_EXPIRED)`)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const line = `"reason":"${proxy.url}: certificate has expired (CERT_HAS_EXPIRED)","msg":"GitHub gave no usable answer"`
    await expect.poll(program.printed).toContain(line)
  })

  it('`headsup doctor` names it', async () => {
    const clone = sharedRepository(repository.owner, repository.name).clone('Alice', {
      HEADSUP_URL: program.url,
      GITHUB_TOKEN: repository.reader,
    })
    const { code, out } = await clone.headsup(['doctor'])
    expect(code).toBe(3)
    expect(out).toMatch(/^fail +github +GitHub, which .*its certificate has expired/m)
  })

  it('webhooks are handled', async () => {
    await github.deleteBranch(repository, 'feat')
    expect(github.data.deliveries.filter(({ event }) => event === 'delete')).toMatchObject([{ statusCode: 200 }])
    expect((await ask('GET')).body).toMatchObject({ items: [] })
  })

  it('the jobs of the App name it, and do not take repositories for hidden', async () => {
    const ofJob = () => /"job":"sync".*"reason":"https:[^"]*: certificate has expired/.test(program.printed())
    await expect.poll(ofJob, { timeout: 20_000 }).toBe(true)
    expect(program.printed()).not.toContain('the repository is not visible')
  })

  it('ends with a valid one, without a restart', async () => {
    proxy.use('valid')
    const status = async () => (await ask('GET', undefined, repository.otherWriter)).status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
  })
})
