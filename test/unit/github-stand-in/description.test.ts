import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPull } from '../../support/github/build-data.ts'
import { changedFile } from '../../support/github/changed-files.ts'
import { newCommits } from '../../support/github/commits.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { describedResponses, responseFaults } from '../../support/github/description.ts'
import { driftOf } from '../../support/github/drift.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { jsonWebToken } from './json-web-token.ts'
import { sendRequest } from './send-request.ts'

let github: Github
let made: PrivateRepository
let installationId: number

beforeAll(async () => {
  // The test compares the responses itself.
  github = await startGithub({ validate: false })
  github.data.manifestCodes.add('a-code')
  made = github.addRepository('described')
  const repository = repositoryOf(github.data, Number(made.id))
  repository.files.set('.github/headsup.yml', 'activity_ttl_ms: 60000\n').set('src/main.ts', 'start()')
  repository.branches.set('feat/login', '1'.repeat(40))
  const files = [
    { path: 'src/main.ts', lines: [[1, 1]] as const },
    { path: 'src/new name.ts', previousPath: 'src/old.ts' },
    { path: 'old.ts', status: 'removed', lines: [[1, 9]] as const },
    { path: 'logo.png', status: 'changed' },
  ] as const
  const commits = newCommits(github.data, [{}, {}], 'acme')
  repository.changes.set('feat/pushed', { files: files.map(changedFile), commits })
  repository.branches.set('feat/pushed', commits.at(-1)?.sha ?? '')
  addPull(github.data, repository, { head: 'feat/login', author: 'dependabot[bot]', files: files.map(changedFile) })
  addPull(github.data, repository, { head: 'feat/login', state: 'closed', mergedAt: new Date() })
  installationId = github.install('acme').id
  github.data.formerNames.set('acme/former', repository.id)
})
afterAll(() => github.stop())

type Asker = 'nobody' | 'writer' | 'stranger' | 'app' | 'installation'
interface Case {
  path: () => string
  by?: Asker
  body?: object
}

const inRepository = (path: string) => () => `/repos/acme/described${path}`
const ofDelivery = (path: string) => () => `/app/hook/deliveries/${github.data.deliveries[0]?.id}${path}`
const ofInstallation = (path: string) => () => `/app/installations/${installationId}${path}`

const aCheckRun = { name: 'Headsup', head_sha: '1'.repeat(40), status: 'completed', conclusion: 'success' }

const answers: Record<string, Case[]> = {
  'GET /repos/{owner}/{repo} 200': [{ path: inRepository('') }, { path: inRepository(''), by: 'installation' }],
  'GET /repos/{owner}/{repo} 301': [{ path: () => '/repos/acme/former' }],
  'GET /repos/{owner}/{repo} 404': [{ path: inRepository(''), by: 'stranger' }],
  'POST /repos/{owner}/{repo}/releases/generate-notes 200': [
    { path: inRepository('/releases/generate-notes'), body: { tag_name: 'v1' } },
  ],
  'GET /repos/{owner}/{repo}/contents/{path} 200': [
    { path: inRepository('/contents/.github/headsup.yml') },
    { path: inRepository('/contents/src') },
  ],
  'GET /repos/{owner}/{repo}/pulls 200': [{ path: inRepository('/pulls?state=all') }],
  'GET /repos/{owner}/{repo}/pulls/{pull_number} 200': [
    { path: inRepository('/pulls/1') },
    { path: inRepository('/pulls/2') },
  ],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files 200': [{ path: inRepository('/pulls/1/files') }],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits 200': [{ path: inRepository('/pulls/1/commits') }],
  'GET /user 200': [{ path: () => '/user' }],
  'GET /repos/{owner}/{repo}/branches 200': [{ path: inRepository('/branches') }],
  'GET /repos/{owner}/{repo}/branches/{branch} 200': [{ path: inRepository('/branches/feat%2Flogin') }],
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref} 200': [{ path: inRepository('/git/matching-refs/heads/feat') }],
  'GET /repos/{owner}/{repo}/git/ref/{ref} 200': [{ path: inRepository('/git/ref/heads/feat/login') }],
  'GET /repos/{owner}/{repo}/compare/{basehead} 200': [{ path: inRepository('/compare/main...feat%2Fpushed') }],
  'GET /repos/{owner}/{repo}/installation 200': [{ path: inRepository('/installation'), by: 'app' }],
  'GET /app 200': [{ path: () => '/app', by: 'app' }],
  'GET /app/installations/{installation_id} 200': [{ path: ofInstallation(''), by: 'app' }],
  'POST /app/installations/{installation_id}/access_tokens 201': [
    { path: ofInstallation('/access_tokens'), by: 'app', body: {} },
    { path: ofInstallation('/access_tokens'), by: 'app', body: { repositories: ['described'] } },
  ],
  'GET /installation/repositories 200': [{ path: () => '/installation/repositories', by: 'installation' }],
  'GET /app/hook/deliveries 200': [{ path: () => '/app/hook/deliveries', by: 'app' }],
  'GET /app/hook/deliveries/{delivery_id} 200': [{ path: ofDelivery(''), by: 'app' }],
  'POST /app-manifests/{code}/conversions 201': [
    { path: () => '/app-manifests/a-code/conversions', by: 'nobody', body: {} },
  ],
  'POST /repos/{owner}/{repo}/check-suites 201': [
    { path: inRepository('/check-suites'), by: 'installation', body: { head_sha: '2'.repeat(40) } },
  ],
  'POST /repos/{owner}/{repo}/check-suites 200': [
    { path: inRepository('/check-suites'), by: 'installation', body: { head_sha: '2'.repeat(40) } },
  ],
  'POST /repos/{owner}/{repo}/check-runs 201': [
    { path: inRepository('/check-runs'), by: 'installation', body: aCheckRun },
  ],
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs 200': [
    { path: inRepository(`/commits/${aCheckRun.head_sha}/check-runs`), by: 'installation' },
  ],
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} 200': [
    {
      path: () => inRepository(`/check-runs/${repositoryOf(github.data, Number(made.id)).checkRuns[0]?.id}`)(),
      by: 'installation',
      body: { status: 'completed', conclusion: 'neutral' },
    },
  ],
  'PATCH /repos/{owner}/{repo}/check-suites/preferences 200': [
    { path: inRepository('/check-suites/preferences'), by: 'installation', body: { auto_trigger_checks: [] } },
  ],
  'POST /app/hook/deliveries/{delivery_id}/attempts 202': [{ path: ofDelivery('/attempts'), by: 'app' }],
}

describe('a response of the stand-in matches GitHub’s own description', () => {
  // A server that accepts the deliveries.
  const taker = createServer((request, response) => void request.resume().on('end', () => response.end('ok')))
  beforeAll(async () => {
    await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve))
    const address = taker.address()
    if (typeof address === 'object') github.data.app.hookUrl = `http://127.0.0.1:${address?.port}`
    github.loseNext()
    await github.renameRepository(made, 'described')
  })
  afterAll(() => void taker.close())

  const cases = Object.entries(answers).flatMap(([name, all]) => all.map((one) => ({ name, ...one })))
  it.each(cases)('$name', async ({ name, path, by = 'writer', body }) => {
    const [method = '', , status] = name.split(' ')
    const answer = await sendRequest(github.url + path(), { method, token: await tokenOf(by), body })
    expect(`${answer.status}`).toBe(status)
    expect(responseFaults(name, answer.body)).toEqual([])
    await github.settled()
  })

  it('GET /app/installations, with the same objects as the single installation', async () => {
    const { body } = await sendRequest(`${github.url}/app/installations`, { token: await tokenOf('app') })
    expect(body).toHaveLength(1)
    const [installation] = body as unknown[]
    expect(responseFaults('GET /app/installations/{installation_id} 200', installation)).toEqual([])
  })

  it('every response with a description is covered', () => {
    expect(Object.keys(answers).sort()).toEqual([...describedResponses].sort())
  })
})

it('a response without a required field is detected', () => {
  const faults = responseFaults('GET /repos/{owner}/{repo} 200', { id: 1 })
  expect(faults).toContain(": must have required property 'full_name'")
})

it('errors and redirects have one form for all operations', () => {
  expect(driftOf('GET /anything', { status: 403, body: { message: 3 } })).toEqual([
    'GET /anything 403 /message: must be string',
  ])
  expect(driftOf(null, { status: 307, body: { url: 3 } })).toHaveLength(1)
  expect(driftOf('GET /anything', { status: 200, body: {} })).toEqual([])
})

async function tokenOf(asker: Asker): Promise<string | undefined> {
  if (asker === 'nobody') return undefined
  if (asker === 'writer' || asker === 'stranger') return made[asker]
  const app = jsonWebToken(github.data.app)
  if (asker === 'app') return app
  const { body } = await sendRequest(`${github.url}${ofInstallation('/access_tokens')()}`, {
    method: 'POST',
    token: app,
  })
  return (body as { token: string }).token
}
