import { afterAll, beforeAll, expect, it } from 'vitest'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { startCallersService } from './callers-setup.ts'

let service: TestService

beforeAll(async () => {
  service = await startCallersService()
})
afterAll(() => service.stop())

const questions = () => service.github.requests.filter((target) => target === '/user').length
const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice' }

it('the account of a token is read once, and is the author of its records', async () => {
  const repository = service.newRepository()
  await repository.get('/notables')
  await expect.poll(questions).toBe(1)
  const author = async () => (await repository.created('/activity', work)).activity.author_login
  await expect.poll(author).toBe(`writer${repository.id}`)
  const { id, author_login } = await repository.raised()
  expect(author_login).toBe(`writer${repository.id}`)
  expect((await repository.page('/notables')).items).toMatchObject([{ id, author_login }])
  expect(questions()).toBe(1)
})

it('a token that GitHub rejects causes no request for its account', async () => {
  const before = questions()
  const repository = service.newRepository()
  service.github.revoke(repository.writer)
  expect((await repository.get('/notables')).status).toBe(401)
  expect(questions()).toBe(before)
})

it('a failing question fails no request and changes nothing about the access of the token', async () => {
  const repository = service.newRepository()
  service.github.fail(faults.badCredentials(), { path: '/user' })
  const { activity } = await repository.created('/activity', work)
  expect(activity.author_login).toBeNull()
  const other = service.newRepository()
  service.github.allow(other, repository.writer)
  expect((await other.get('/notables', { token: repository.writer })).status).toBe(200)
  service.github.heal()
})

it('no account is requested where the operator turned that off', async () => {
  const before = questions()
  const other = await startTestService({ callers: {}, authorLogin: false, sharedWith: service })
  try {
    const repository = other.newRepository()
    expect((await repository.created('/activity', work)).activity.author_login).toBeNull()
    expect((await repository.raised()).author_login).toBeNull()
    expect(questions()).toBe(before)
  } finally {
    await other.stop()
  }
})
