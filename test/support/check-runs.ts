import nock from 'nock'
import { pino } from 'pino'
import { notableChanged } from '../../src/service/check-runs/changed.ts'
import { beginCheckRun } from '../../src/service/check-runs/check-runs.ts'
import { checkSuiteJob } from '../../src/service/check-runs/check-suites.ts'
import { checkRunJob, type WritingParts } from '../../src/service/check-runs/write-check-runs.ts'
import type { Notable } from '../../src/service/db/generated/client.ts'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { newId } from '../../src/service/records/ids.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { githubApiUrl, githubServerUrl } from './github.ts'
import type { Pull } from './github-server/data.ts'
import { type openRows, startReadings } from './pulls.ts'

interface Written {
  method: string
  body: { head_sha: string; conclusion: string; output: { title: string; summary: string } }
}

const defaults = defaultSettings({ activityTtlMs: 86_400_000, notableTtlMs: 604_800_000 })

/** A repository of the App whose check runs are written, without Probot, which would wait for a second before each. */
export async function startCheckRuns({ prisma, pool }: Awaited<ReturnType<typeof openRows>>) {
  const github = await startReadings(prisma)
  const repository_id = BigInt(github.repository.id)
  await prisma.repository.update({ where: { repository_id }, data: { installation_id: 7 } })
  const written: Written[] = []
  /** May be changed: the status and the headers of GitHub's next answers. */
  const answer = { status: 201, headers: {}, before: async () => {} }
  const at = `/repos/acme/${github.repository.name}/check-runs`
  const answered = (method: string) => async (_uri: string, body: unknown) => {
    await answer.before()
    written.push({ method, body: body as Written['body'] })
    const text = answer.status < 400 ? { id: 100 + written.length } : { message: 'No' }
    return [answer.status, text, answer.headers] as [number, object, Record<string, string>]
  }
  nock(githubApiUrl).persist().post(at).reply(answered('POST'))
  nock(githubApiUrl)
    .persist()
    .patch((uri) => uri.startsWith(`${at}/`))
    .reply(answered('PATCH'))

  const now = () => github.clock.now
  const parts: WritingParts = {
    ...{ octokitOf: async () => octokitOf('ghs_7', githubApiUrl), appId: 1, prisma, pool, now, githubServerUrl },
    ...{ defaults: { ...defaults, values: github.settings }, retentionMs: 86_400_000 },
    ...{ publicUrl: 'https://headsup.example', log: pino({ level: 'silent' }) },
  }
  const context = { prisma, repository: { ...github.reading.observing.repository, isPublic: true, parent: null }, now }
  const write = async () => {
    for (let times = 0; times < 3; times++) await checkRunJob(parts).run(null, async () => {})
  }

  return {
    ...{ github, repository_id, written, answer, context, write },
    writeOnce: () => checkRunJob(parts).run(null, async () => {}),
    turnOffSuites: () => checkSuiteJob(parts).run(null, async () => {}),
    titles: () => written.map(({ body }) => body.output.title),
    /** Reads what is open, begins check runs for these, and writes what is due. */
    async run(...begun: Pull[]): Promise<void> {
      await github.read()
      for (const { number, head } of begun)
        await beginCheckRun(prisma, { repository_id, number, head_sha: head.sha }, now())
      await write()
    },
    /** Raises a freeze, unless it is changed to something else. */
    async raise(changed: Partial<Notable> = {}) {
      const texts = {
        title: 'Release freeze',
        summary: 'Until Monday',
        category: 'release',
        importance: 'high',
      } as const
      const times = { created_at: now(), updated_at: now(), expires_at: new Date('2100-12-01') }
      const key = { repository_id, id: newId('ntb', now()), status: 'active', blocking: true } as const
      const row = await prisma.notable.create({ data: { ...key, ...texts, ...times, ...changed } })
      await notableChanged(context, row)
      return row
    },
    async change(id: string, data: Partial<Notable>): Promise<void> {
      const where = { repository_id_id: { repository_id, id } }
      await notableChanged(context, await prisma.notable.update({ where, data }))
    },
    /** The newest record with this number. */
    async recordOf(number: number): Promise<string> {
      const where = { repository_id, pr_number: number }
      return (await prisma.activity.findFirstOrThrow({ where, orderBy: { id: 'desc' } })).id
    },
    checkRunOf: (number: number) =>
      prisma.checkRun.findUniqueOrThrow({ where: { repository_id_number: { repository_id, number } } }),
    /** Opens others that change the same as #1, without reading each. Their check runs are due. */
    async copyFirst(from: number, to: number): Promise<void> {
      const where = { repository_id, pr_number: 1 }
      const { changed_files, ...work } = await prisma.activity.findFirstOrThrow({
        where,
        include: { changed_files: true },
      })
      const first = { where: { repository_id_number: { repository_id, number: 1 } } }
      const pull = await prisma.pullRequest.findUniqueOrThrow(first)
      for (let number = from; number <= to; number++) {
        const [activity_id, head_sha] = [newId('act', now()), String(number).padStart(40, '0')]
        const [branch, key] = [`branch-${number}`, { repository_id, number }]
        const head = { changes_head: head_sha, changes_commits: [head_sha] }
        await prisma.activity.create({ data: { ...work, ...head, id: activity_id, pr_number: number, branch } })
        await prisma.changedFile.createMany({ data: changed_files.map((file) => ({ ...file, activity_id })) })
        await prisma.pullRequest.create({
          data: { ...pull, number, head_sha, read_head: head_sha, head_branch: branch },
        })
        await beginCheckRun(prisma, { ...key, head_sha }, now())
      }
    },
    later(ms: number): void {
      github.clock.now = new Date(github.clock.now.getTime() + ms)
    },
  }
}

export type CheckRuns = Awaited<ReturnType<typeof startCheckRuns>>
