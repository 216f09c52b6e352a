import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { RetrievedActivity } from '../../src/core/schemas/activity.ts'
import { call } from '../support/client.ts'
import { removeDirectories } from '../support/command-line.ts'
import { type Github, type PrivateRepository, startGithub } from '../support/github/start.ts'
import { type Program, startProgram } from '../support/program.ts'
import { copyUsedDataDirectory } from '../support/used-data-directory.ts'
import { type Desk, makeProject, openDesk } from './desk.ts'

type Activity = RetrievedActivity

/** What each test of a real agent begins with: a repository with the work of a colleague on lines 10 to 12 of `src/a.ts`. */
export interface Scene {
  repository: PrivateRepository
  /** A clone of it, whose hooks ask the service. */
  desk(actor: string, options?: { url?: string; token?: string }): Desk
  /** The id of the colleague's work. */
  colleague: string
  /** The recorded work of a branch: what is live, then what is archived. */
  workOn(branch: string): Promise<Activity[]>
}

export interface Stage {
  /** The address of the service. */
  url: string
  open(options?: { withColleague?: boolean }): Promise<Scene>
}

/** Starts the built service and its stand-in for GitHub, for the tests of the file. */
export function prepareStage(use: (stage: Stage) => void): void {
  let github: Github
  let program: Program
  let directory: string
  let repositories = 0
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'headsup-agents-'))
    await chmod(directory, 0o755)
    await copyUsedDataDirectory(join(directory, '.headsup'))
    github = await startGithub()
    program = await startProgram({ GITHUB_API_URL: github.url }, directory)
    const { url } = program
    const project = makeProject()
    use({
      url,
      async open({ withColleague = true } = {}) {
        repositories++
        const repository = github.addRepository(`agents-${repositories}`)
        const base = `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
        const colleague = withColleague ? await recordColleague(base, repository.otherWriter) : ''
        return {
          ...{ repository, colleague },
          desk: (actor, { url: to = url, token = repository.writer } = {}) =>
            openDesk({ project, repository, actor, url: to, token }),
          async workOn(branch) {
            const token = repository.reader
            const lists = ['', '&status=archived'].map((more) => call(`${base}?branch=${branch}${more}`, { token }))
            const items = (await Promise.all(lists)).flatMap(({ body }) => (body as { items: Activity[] }).items)
            const whole = await Promise.all(items.map(({ id }) => call(`${base}/${id}`, { token })))
            return whole.map(({ body }) => body as Activity)
          },
        }
      },
    })
  })
  afterAll(async () => {
    await program.end()
    await github.stop()
    removeDirectories()
    await rm(directory, { recursive: true, force: true })
  })
}

async function recordColleague(base: string, token: string): Promise<string> {
  const body = {
    ...{ title: 'Rework the form', summary: 'Rework it.', actor: 'Carol', branch: 'feat/carol', base_branch: 'main' },
    changes: { files: [{ path: 'src/a.ts', status: 'modified', lines: [[10, 12]] }] },
  }
  const answer = await call(base, { method: 'POST', token, body })
  expect(answer.status).toBe(201)
  return (answer.body as { activity: { id: string } }).activity.id
}
