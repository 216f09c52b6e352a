import type { Pool } from 'pg'
import type { Context } from '../context.ts'
import type { PrismaClient, Repository as Row } from '../db/generated/client.ts'
import { observationOf } from '../github/observation.ts'
import { settingsFacts } from '../github/settings-facts.ts'
import type { Log } from '../log.ts'
import { type Checked, checkRecord } from '../overlap/check.ts'
import { live } from '../records/lifecycle.ts'
import type { Settings } from '../records/settings.ts'

export interface Checking {
  prisma: PrismaClient
  pool: Pool
  now(): Date
  githubServerUrl: string
  retentionMs: number
  log: Log
}

/** A check of a pull request's own work, and the id of that: of the recorded work that covers it. Null where it has none. */
export async function checkOfPull(
  parts: Checking,
  { row, settings, number }: { row: Row; settings: Settings; number: number },
): Promise<(Checked & { ownId: string }) | null> {
  const { prisma, now } = parts
  const records = await prisma.activity.findMany({
    where: { repository_id: row.repository_id, pr_number: number, ...live(now()) },
    orderBy: { id: 'desc' },
  })
  const covering = records.find(({ source }) => source === 'recorded') ?? records[0]
  if (!covering) return null
  return { ...(await checkRecord(contextOf(parts, row, settings), covering)), ownId: covering.id }
}

/** The App asks as nobody, and sees the pull requests. */
function contextOf({ retentionMs, ...parts }: Checking, row: Row, settings: Settings): Context {
  const { repository_id: id, owner, name, default_branch, is_public: isPublic } = row
  const { prisma, now } = parts
  return {
    ...parts,
    repository: { id, owner, name, defaultBranch: default_branch ?? 'main', isPublic, parent: null },
    settings,
    login: async () => null,
    // Each installation has a token of its own, so that checks of one do not wait for those of another.
    tokenKey: `installation ${row.installation_id}`,
    idempotencyKey: null,
    purgedUntil: () => new Date(now().getTime() - retentionMs),
    headers: {},
    settingsFacts: () => settingsFacts(row, settings.values, undefined),
    seesPulls: async () => true,
    observe: () => observationOf(prisma, id, { byApp: true, now: now() }),
  }
}
