import { afterAll, beforeAll, expect, it } from 'vitest'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { addInstallation, addPull, addRepository, modified } from '../support/github-server/data.ts'
import { type GithubServer, startGithubServer } from '../support/github-server.ts'

let github: GithubServer
beforeAll(async () => {
  github = await startGithubServer()
})
afterAll(() => github.stop())

it('the stand-in answers as GitHub does: pages, permissions, refused tokens', async () => {
  const { data, url } = github
  const repository = addRepository(data, { isPrivate: true, roles: { alice: 'write' } })
  data.tokens.set('ghp_alice', 'alice').set('ghp_bob', 'bob')
  addPull(repository, { files: Array.from({ length: 120 }, (_, index) => modified(`src/${index}.ts`, [3, 4])) })
  const alice = octokitOf('ghp_alice', url)
  const at = { owner: repository.owner, repo: repository.name }
  expect((await alice.rest.repos.get(at)).data).toMatchObject({ id: repository.id, permissions: { push: true } })
  const files = await alice.paginate(alice.rest.pulls.listFiles, { ...at, pull_number: 1, per_page: 100 })
  expect(files).toHaveLength(120)
  expect(files[0]).toMatchObject({ patch: '@@ -3,2 +3,2 @@\n-old 3\n-old 4\n+new 3\n+new 4', additions: 2 })
  await expect(octokitOf('ghp_bob', url).rest.repos.get(at)).rejects.toMatchObject({ status: 404 })
  await expect(octokitOf('ghp_x', url).rest.repos.get(at)).rejects.toMatchObject({ status: 401 })
  addInstallation(data, { account: repository.owner })
  const { data: listed } = await octokitOf('a.b.c', url).rest.apps.listInstallations()
  expect(listed).toHaveLength(1)
})
