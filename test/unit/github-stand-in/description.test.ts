import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPull } from '../../support/github/declare.ts'
import { responseFaults } from '../../support/github/description.ts'
import { type Github, type PrivateRepository, startGithub } from '../../support/github/start.ts'
import { repositoryOf } from '../../support/github/world.ts'
import { ask } from './ask.ts'

let github: Github
let made: PrivateRepository

beforeAll(async () => {
  github = await startGithub()
  made = github.addRepository('described')
  const repository = repositoryOf(github.world, Number(made.id))
  repository.files.set('.github/headsup.yml', 'activity_ttl_ms: 60000\n').set('src/main.ts', 'start()')
  repository.branches.set('feat/login', '1'.repeat(40))
  addPull(github.world, repository, { head: 'feat/login' })
  addPull(github.world, repository, { head: 'feat/login', state: 'closed', mergedAt: new Date() })
})
afterAll(() => github.stop())

const answers: Record<string, { path?: string; method?: string; body?: unknown; token?: 'stranger' }[]> = {
  'GET /repos/{owner}/{repo} 200': [{}],
  'GET /repos/{owner}/{repo} 404': [{ token: 'stranger' }],
  'POST /repos/{owner}/{repo}/releases/generate-notes 200': [
    { path: '/releases/generate-notes', method: 'POST', body: { tag_name: 'v1' } },
  ],
  'GET /repos/{owner}/{repo}/contents/{path} 200': [
    { path: '/contents/.github/headsup.yml' },
    { path: '/contents/src' },
  ],
  'GET /repos/{owner}/{repo}/pulls 200': [{ path: '/pulls?state=all' }],
  'GET /repos/{owner}/{repo}/pulls/{pull_number} 200': [{ path: '/pulls/1' }, { path: '/pulls/2' }],
  'GET /repos/{owner}/{repo}/branches 200': [{ path: '/branches' }],
  'GET /repos/{owner}/{repo}/branches/{branch} 200': [{ path: '/branches/feat%2Flogin' }],
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref} 200': [{ path: '/git/matching-refs/heads/feat' }],
  'GET /repos/{owner}/{repo}/git/ref/{ref} 200': [{ path: '/git/ref/heads/feat/login' }],
}

describe('an answer of the stand-in is as GitHub’s own description has it', () => {
  const cases = Object.entries(answers).flatMap(([name, calls]) => calls.map((call) => ({ name, ...call })))
  it.each(cases)('$name $path', async ({ name, path = '', token, ...call }) => {
    const answer = await ask(`${github.url}/repos/acme/described${path}`, {
      ...call,
      token: made[token ?? 'writer'],
    })
    expect(`${answer.status}`).toBe(name.split(' ')[2])
    expect(responseFaults(name, answer.body)).toEqual([])
  })
})

it('an answer without what GitHub always sends is told apart', () => {
  expect(responseFaults('GET /repos/{owner}/{repo} 200', { id: 1 })).toContain(
    ": must have required property 'full_name'",
  )
})
