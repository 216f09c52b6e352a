import type { Octokit } from '@octokit/rest'
import nock from 'nock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Activity, PullRequest } from '../../src/service/db/generated/client.ts'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { octokitOf } from '../../src/service/github/octokit.ts'
import { listPulls, type Reading, readHeads } from '../../src/service/github/pulls/read-repository.ts'
import { defaultSettings, type SettingValues } from '../../src/service/records/settings.ts'
import { createDatabase } from './database.ts'
import { githubApiUrl, githubServerUrl } from './github.ts'
import { addRepository, emptyData, type GithubData, newSha, type Pull, type Repository } from './github-server/data.ts'
import { commitShape, pullShape } from './github-server/shapes.ts'

export interface Observed {
  data: GithubData
  repository: Repository
  repository_id: bigint
  prisma: Reading['prisma']
  settings: SettingValues
  /** The time of the database; a test may move it. */
  clock: { now: Date }
  /** Paths that GitHub was asked for. */
  asked: string[]
  /** How many pull requests a page of GitHub's has at most; a test may take fewer. */
  pages: { size: number }
  reading: Reading
  /** Answers anew, with further headers. */
  answer(headers: Record<string, string>): void
  /** One reading, as the App does it: the list, then the files. */
  read(pages?: number): Promise<number>
  /** The observed records by number, the newest of a number last. */
  records(): Promise<Activity[]>
  /** The only one. */
  theRecord(): Promise<Activity>
  pullRow(number?: number): Promise<PullRequest>
}

/** Moves on as GitHub does: facts of an older second change nothing. */
export function change(pull: Pull, changed: Partial<Pull>): void {
  Object.assign(pull, { updatedAt: new Date(pull.updatedAt.getTime() + 2_000) }, changed)
}

export function push(pull: Pull, files: Pull['files']): void {
  const head = { ...pull.head, sha: newSha() }
  change(pull, { head, files, commits: [...pull.commits, { sha: head.sha, committedAt: new Date() }] })
}

/** Answers what a reading asks of the pull requests, from `data`, by nock. */
export function answerPulls(
  data: GithubData,
  repository: Repository,
  asked: string[] = [],
  headers: Record<string, string> = {},
  pages = { size: 100 },
): void {
  const at = `/repos/${repository.owner}/${repository.name}/pulls`
  nock(githubApiUrl)
    .defaultReplyHeaders(headers)
    .persist()
    .get((uri) => uri.startsWith(at))
    .reply((uri) => {
      asked.push(uri.slice(at.length))
      const { pathname, searchParams } = new URL(uri, githubApiUrl)
      const [number, kind] = pathname.slice(at.length + 1).split('/')
      const pull = repository.pulls.find((one) => one.number === Number(number))
      if (!number) {
        const open = repository.pulls.filter(({ state }) => state === 'open')
        const sorted = open.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
        return page(
          uri,
          searchParams,
          sorted.map((one) => pullShape(data, repository, one, githubServerUrl)),
          pages.size,
        )
      }
      if (!pull) return [404, { message: 'Not Found' }]
      if (kind === 'files') return page(uri, searchParams, pull.files.slice(0, 3_000))
      if (kind === 'commits') return page(uri, searchParams, pull.commits.slice(0, 250).map(commitShape))
      return [200, { ...pullShape(data, repository, pull, githubServerUrl), changed_files: pull.files.length }]
    })
}

function page(
  uri: string,
  query: URLSearchParams,
  all: object[],
  most = 100,
): [number, object[], Record<string, string>] {
  const [size, number] = [Math.min(Number(query.get('per_page') ?? 30), most), Number(query.get('page') ?? 1)]
  const last = Math.ceil(all.length / size)
  const link = (to: number, rel: string) => {
    const url = new URL(uri, githubApiUrl)
    url.searchParams.set('page', String(to))
    return `<${url.href}>; rel="${rel}"`
  }
  const headers = number < last ? { Link: `${link(number + 1, 'next')}, ${link(last, 'last')}` } : {}
  return [200, all.slice(size * (number - 1), size * number), headers]
}

export const silentLog = pino({ level: 'silent' })

/** The rows of what is read. */
export async function openRows() {
  const database = await createDatabase()
  const { pool, prisma } = openDatabase(database.url)
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect()
      await database.drop()
    },
  }
}

/** How many transactions of this database wait for something else than PostgreSQL. */
export async function openTransactions(prisma: Reading['prisma']): Promise<number> {
  const rows = await prisma.$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  return rows.length
}

/** A repository for each test of a file, in one database. */
export function useReadings(start: (github: Observed) => void): void {
  let rows: Awaited<ReturnType<typeof openRows>>
  beforeAll(async () => {
    rows = await openRows()
  })
  beforeEach(async () => start(await startReadings(rows.prisma)))
  afterEach(() => nock.cleanAll())
  afterAll(() => rows.close())
}

/** A repository whose pull requests are read. */
export async function startReadings(prisma: Reading['prisma']): Promise<Observed> {
  const data = emptyData()
  const repository = addRepository(data)
  const settings = { ...defaultSettings({ activityTtlMs: 86_400_000, notableTtlMs: 604_800_000 }).values }
  const [clock, asked]: [{ now: Date }, string[]] = [{ now: new Date() }, []]
  const pages = { size: 100 }
  answerPulls(data, repository, asked, {}, pages)
  const { owner, name, defaultBranch } = repository
  const repository_id = BigInt(repository.id)
  const names = { owner, name, default_branch: defaultBranch, is_public: true }
  await prisma.repository.create({ data: { repository_id, ...names, updated_at: clock.now } })
  const reading: Reading = {
    prisma,
    octokit: octokitOf('ghp_reader', githubApiUrl) satisfies Octokit,
    observing: { repository: { id: repository_id, owner, name, defaultBranch }, settings, githubServerUrl },
    now: () => clock.now,
    log: silentLog,
    mayGoOn: () => true,
    withStrangers: () => true,
  }
  const records = () => {
    const where = { repository_id, source: 'pull_request' } as const
    return prisma.activity.findMany({ where, orderBy: [{ pr_number: 'asc' }, { id: 'asc' }] })
  }
  return {
    ...{ data, repository, repository_id, prisma, settings, clock, asked, pages, reading, records },
    async theRecord() {
      const found = await records()
      expect(found).toHaveLength(1)
      return found[0] as Activity
    },
    pullRow: (number = 1) =>
      prisma.pullRequest.findUniqueOrThrow({ where: { repository_id_number: { repository_id, number } } }),
    answer: (headers) => answerPulls(data, repository, asked, headers, pages),
    async read(pages) {
      clock.now = new Date(Math.max(Date.now(), clock.now.getTime() + 1))
      const unlisted = await listPulls(reading, pages)
      await readHeads(reading, 100)
      return unlisted
    },
  }
}
