import nock from 'nock'

/** GitHub's answers in tests, by nock: everything runs in this process. Each test file calls `nock.cleanAll()` where it needs to. */

export const githubServerUrl = 'https://github.com'
export const githubApiUrl = 'https://api.github.com'

export interface TestRepository {
  id: number
  owner: string
  name: string
  defaultBranch: string
  isPrivate: boolean
}

let lastId = 1_000

/** A repository of its own for each test, so that tests of one database do not meet. */
export function newRepository(changed: Partial<TestRepository> = {}): TestRepository {
  const id = ++lastId
  return { id, owner: 'acme', name: `shop-${id}`, defaultBranch: 'main', isPrivate: false, ...changed }
}

export type Permission = 'pull' | 'push'

/** GitHub lets this token read, or write, in the repository, and says whose it is. */
export function letIn(
  token: string,
  repository: TestRepository,
  permission: Permission = 'push',
  login = 'alice',
  seesPulls = true,
) {
  const { id, owner, name, defaultBranch, isPrivate } = repository
  const reqheaders = { authorization: (value: string) => value === `token ${token}` || value === `bearer ${token}` }
  const permissions = { admin: false, maintain: false, push: permission === 'push', triage: false, pull: true }
  nock(githubApiUrl, { reqheaders })
    .persist()
    .get(`/repos/${owner}/${name}`)
    .reply(200, {
      ...{ id, name, full_name: `${owner}/${name}`, owner: { login: owner, id: 1 }, default_branch: defaultBranch },
      ...{ private: isPrivate, visibility: isPrivate ? 'private' : 'public', permissions },
    })
  nock(githubApiUrl, { reqheaders }).persist().get('/user').reply(200, { login, id: 7 })
  nock(githubApiUrl, { reqheaders })
    .persist()
    .get(`/repos/${owner}/${name}/pulls`)
    .query(true)
    .reply(seesPulls ? 200 : 403, seesPulls ? [] : { message: 'Resource not accessible by personal access token' })
  // It has no settings file, and neither has its owner.
  const file = '/contents/.github%2Fheadsup.yml'
  nock(githubApiUrl, { reqheaders }).persist().get(`/repos/${owner}/${name}${file}`).reply(404, {})
  nock(githubApiUrl, { reqheaders }).persist().get(`/repos/${owner}/.github${file}`).reply(404, {})
}
