import nock from 'nock'
import { githubApiUrl, type TestRepository } from './github.ts'

export const settingsAt = '/contents/.github%2Fheadsup.yml'

/** GitHub has this settings file in the repository, or in another one. */
export function settingsFile(tested: TestRepository, text: string, at = `${tested.owner}/${tested.name}`): void {
  const content = Buffer.from(text).toString('base64')
  nock(githubApiUrl)
    .persist()
    .get(`/repos/${at}${settingsAt}`)
    .reply(200, { type: 'file', size: content.length, encoding: 'base64', content, sha: '1' })
}

export function noSettingsFile(at: string): void {
  nock(githubApiUrl).persist().get(`/repos/${at}${settingsAt}`).reply(404, {})
}
