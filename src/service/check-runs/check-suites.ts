import type { Repository as Row } from '../db/generated/client.ts'
import { lacksPermission } from '../github/app/refusal.ts'
import type { Job } from '../jobs.ts'
import { safely } from '../log.ts'
import type { WritingParts } from './write-check-runs.ts'

/** Octokit sends one such request a second. */
const most = 50

/**
 * Turns the automatic check suites off, once the App may write check runs. GitHub makes an empty suite of the App with each push,
 * which stays queued for ever, and merges may wait for it.
 */
export function checkSuiteJob(parts: WritingParts): Job {
  const { prisma, log } = parts
  const where = { installation_id: { not: null }, is_suspended: false, may_write_checks: true, suites_off_at: null }
  return {
    name: 'turn off check suites',
    everyMs: 60_000,
    async run() {
      for (const row of await prisma.repository.findMany({ where, take: most })) {
        await turnOff(parts, row).catch((error: unknown) => {
          log.warn({ repository: String(row.repository_id), ...safely(error) }, 'check suites were not turned off')
        })
      }
    },
  }
}

async function turnOff({ prisma, now, appId, octokitOf }: WritingParts, row: Row): Promise<void> {
  const { repository_id, owner, name: repo, installation_id } = row
  const { checks } = (await octokitOf(Number(installation_id))).rest
  const auto_trigger_checks = [{ app_id: appId, setting: false }]
  await checks.setSuitesPreferences({ owner, repo, auto_trigger_checks }).catch((error: unknown) => {
    // Asking again would change nothing.
    if (!lacksPermission(error, '/check-suites/')) throw error
  })
  await prisma.repository.update({ where: { repository_id }, data: { suites_off_at: now() } })
}
