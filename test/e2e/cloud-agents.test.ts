import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentSession } from '../support/agent-session.ts'
import { prepareClones } from '../support/clones.ts'
import { type Clone, newDirectory, workTree } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone

prepareClones((stage) => {
  ;({ service, repository } = stage)
  alice = stage.clone('Alice', { branch: 'feat/alice' })
})

/** A shallow clone of Alice's branch, as agents on other machines get it, with the environment of a job. */
function shallowClone(env: Record<string, string>): Clone {
  const path = join(newDirectory(), 'job')
  alice.git('clone', '-q', '--depth=1', '--branch=feat/alice', `file://${alice.path}`, path)
  const job = workTree(path, 'Job', { HEADSUP_URL: service.url, HEADSUP_HOOK_LIMIT_MS: '25000', ...env })
  job.git('remote', 'set-url', 'origin', `git@github.com:${repository.owner}/${repository.name}.git`)
  rmSync(join(path, '.git/refs/remotes'), { recursive: true, force: true })
  return job
}

it('an agent in a shallow clone records and checks with an installation token, without a login', async () => {
  const permissions = { contents: 'write', metadata: 'read' } as const
  const token = service.github.addInstallationToken(service.github.install('acme'), { grants: permissions })
  const job = shallowClone({ GITHUB_TOKEN: 'ghp_unknown', HEADSUP_TOKEN: token })
  const fields = { title: 'Other', summary: 'Other.', actor: 'Carol', branch: 'other', scope: { paths: ['src/a.ts'] } }
  const { activity } = await repository.created('/activity', fields)
  const session = agentSession(job, 'claude')
  expect(await session.tell('session-start')).toContain('is recorded as')
  job.write('src/a.ts')
  expect(await session.tell('before-edit')).toContain(activity.id)
  const [recorded] = (await repository.page('/activity?actor=Job')).items
  expect(recorded).toMatchObject({ agent: 'claude-code', branch: 'feat/alice', author_login: null })
})
