import { openDatabase } from '../../src/service/db/prisma.ts'
import type { PullFacts } from '../../src/service/github/pulls/pull-facts.ts'
import { saveFiles } from '../../src/service/observed/save-files.ts'
import { savePull } from '../../src/service/observed/save-pull.ts'
import { storedFiles } from '../../src/service/records/changes.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { githubServerUrl, type TestRepository } from './github.ts'

export interface TestPull extends Partial<PullFacts> {
  number: number
  /** Lines of the old side by path; null: not known. */
  files?: Record<string, [number, number][] | null>
  filesTotal?: number
  commits?: string[]
  pushedAt?: Date
}

/** Pull requests and settings as a reading leaves them, without one: the next reading is not due. */
export function observe(databaseUrl: string, repository: TestRepository) {
  const { prisma } = openDatabase(databaseUrl)
  const repository_id = BigInt(repository.id)
  const { owner, name, defaultBranch: default_branch } = repository
  const row = { owner, name, default_branch, is_public: !repository.isPrivate }
  return {
    prisma,
    async read(pulls: TestPull[], settings: object | null = null) {
      const now = new Date()
      const read = { pulls_asked_at: now, pulls_read_at: now, settings_asked_at: now, settings_read_at: now }
      const data = { ...row, ...read, updated_at: now, ...(settings && { settings }) }
      await prisma.repository.upsert({ where: { repository_id }, create: { repository_id, ...data }, update: data })
      const observing = {
        repository: { id: repository_id, owner, name, defaultBranch: default_branch },
        settings: defaultSettings({ activityTtlMs: 86_400_000, notableTtlMs: 86_400_000 }).values,
        ...{ githubServerUrl, now },
      }
      for (const { files, filesTotal, commits, pushedAt, ...facts } of pulls) {
        const whole = { ...plainPull(facts.number, repository_id, now), ...facts }
        await prisma.$transaction((tx) => savePull(tx, observing, whole, { end: null, pushedAt: pushedAt ?? now }))
        if (!files) continue
        const changed = Object.entries(files).map(([path, lines]) => {
          return { path, previous_path: null, status: 'modified' as const, lines }
        })
        const head = { number: whole.number, headSha: whole.head_sha, baseBranch: whole.base_branch, committedAt: now }
        const stored = { files: storedFiles({ files: changed }), filesTotal: filesTotal ?? changed.length }
        await prisma.$transaction((tx) =>
          saveFiles(tx, observing, { ...head, ...stored, commits: commits ?? [whole.head_sha] }),
        )
      }
    },
    async idOf(number: number): Promise<string> {
      const where = { repository_id, pr_number: number, source: 'pull_request', ended_at: null } as const
      return (await prisma.activity.findFirstOrThrow({ where })).id
    },
    stop: () => prisma.$disconnect(),
  }
}

function plainPull(number: number, repositoryId: bigint, now: Date): PullFacts {
  return {
    ...{ number, is_open: true, is_draft: false, title: `Change ${number}`, author_login: 'paula', is_outsider: false },
    ...{ issues: [], head_sha: String(number).padStart(40, '0'), head_branch: `branch-${number}`, base_branch: 'main' },
    ...{ head_repository_id: repositoryId, head_owner: 'acme', opened_at: now, github_updated_at: now },
  }
}
