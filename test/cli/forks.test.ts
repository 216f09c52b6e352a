import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import nock from 'nock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aliceAndBob, type Clone, recordedBy, remoteSection, workOn } from '../support/command-line.ts'
import { githubApiUrl } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => {
  nock.cleanAll()
  await service.stop()
})

describe('§14 forks', () => {
  /** A clone of alice's fork of the repository. */
  function forkOf(parent: Client): Clone {
    const fork = clientOf(service, {
      repository: { ...parent.repository, id: parent.repository.id + 50_000, owner: 'alice' },
    })
    const clone = workOn(service, { ...fork, token: parent.token }, 'fix/login', [105])
    const { owner, name, id } = parent.repository
    nock(githubApiUrl)
      .persist()
      .get(`/repos/alice/${name}`)
      .reply(200, {
        ...{ id: id + 50_000, name, owner: { login: 'alice', id: 2 }, default_branch: 'main', private: false },
        ...{ parent: { full_name: `${owner}/${name}` }, permissions: { push: true, pull: true } },
      })
    nock(githubApiUrl).persist().get(`/repos/alice/${name}/pulls`).query(true).reply(200, [])
    return clone
  }

  it('that nobody chose never reads "go ahead", and names the parent', async () => {
    const [alice] = aliceAndBob(service)
    const { owner, name } = alice.repository
    const clone = forkOf(alice)
    const ran = await clone.headsup(['check'])
    expect(ran.out).toContain(`headsup check --repo ${owner}/${name}`)
    expect(ran.out).not.toMatch(/go ahead|No overlap\./i)
    clone.git('config', 'remote.origin.gh-resolved', 'base')
    expect((await clone.headsup(['check'])).out).toContain('Go ahead')
  })

  it('ask the upstream, or what --repo and gh choose, with the changes of the clone', async () => {
    const [alice, bob] = aliceAndBob(service)
    const id = await recordedBy(bob, [[105, 105]])
    const { owner, name } = alice.repository
    const clone = forkOf(alice)
    expect(await clone.json(['check', '--repo', `${owner}/${name}`])).toMatchObject({ related_activity_ids: [id] })
    clone.git('config', 'remote.origin.gh-resolved', `${owner}/${name}`)
    expect(await clone.json(['check'])).toMatchObject({ related_activity_ids: [id] })
    clone.git('config', '--unset', 'remote.origin.gh-resolved')
    appendFileSync(join(clone.path, '.git/config'), remoteSection('upstream', `git@github.com:${owner}/${name}`))
    clone.git('update-ref', 'refs/remotes/upstream/main', 'origin/main')
    expect(await clone.json(['check'])).toMatchObject({ related_activity_ids: [id], doubts: [] })
  })

  it('send nothing of this clone to a repository that it does not belong to', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[105, 105]])
    const elsewhere = clientOf(service)
    const clone = workOn(service, { ...elsewhere, token: alice.token }, 'fix/login', [105])
    nock(githubApiUrl).get(/.*/).reply(404, {})
    const { owner, name } = alice.repository
    expect(await clone.json(['check', '--repo', `${owner}/${name}`])).toMatchObject({
      overlap_detected: false,
      obstacles: ['nothing_named'],
    })
  })

  it('never read "go ahead" where it is not known whether the clone is one, and count at one GitHub alone', async () => {
    const [alice, bob] = aliceAndBob(service)
    await recordedBy(bob, [[105, 105]])
    const { owner, name } = alice.repository
    const clone = forkOf(alice)
    const check = ['check', 'README.md', '--repo', `${owner}/${name}`]
    nock(service.url, { allowUnmocked: true }).get(`/api/v1/repos/alice/${name}/settings`).reply(503)
    expect(await clone.headsup(check)).toMatchObject({ code: 3, out: '' })
    clone.git('remote', 'set-url', 'origin', `https://github.example.com/alice/${name}.git`)
    expect(await clone.json(check)).toMatchObject({ overlap_detected: false })
  })
})
