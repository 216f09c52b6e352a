import type { PrismaClient, Repository as Row } from '../db/generated/client.ts'
import type { Observing } from '../observed/observing.ts'
import { differing } from '../observed/pulls.ts'
import type { SettingValues } from '../records/settings.ts'
import type { Repository } from './access.ts'

const requestedMs = 300_000

/** The row of a repository that somebody asks about, with what GitHub just said of it. Mostly one statement that reads. */
export async function meetRepository(prisma: PrismaClient, repository: Repository, now: Date): Promise<Row> {
  const { id: repository_id, owner, name, defaultBranch: default_branch, isPublic: is_public } = repository
  const facts = { owner, name, default_branch, is_public }
  const where = { repository_id }
  const row = await prisma.repository.findUnique({ where })
  const changed = row ? differing(row, facts) : facts
  const isNews = Object.keys(changed).length > 0
  const isRecent = row?.requested_at != null && now.getTime() - row.requested_at.getTime() < requestedMs
  if (row && !isNews && isRecent) return row
  return prisma.repository.upsert({
    where,
    create: { repository_id, ...facts, requested_at: now, updated_at: now },
    update: { ...changed, requested_at: now, ...(isNews && { updated_at: now }) },
  })
}

/** What is needed to save its pull requests. */
export function observingOf(row: Row, settings: SettingValues, githubServerUrl: string): Omit<Observing, 'now'> {
  const { repository_id: id, owner, name, default_branch } = row
  return { repository: { id, owner, name, defaultBranch: default_branch ?? 'main' }, settings, githubServerUrl }
}

/** Whether the App reads it. Otherwise callers' tokens do. */
export function isReadByApp({ installation_id, is_suspended }: Row, hasApp: boolean): boolean {
  return hasApp && installation_id !== null && !is_suspended
}
