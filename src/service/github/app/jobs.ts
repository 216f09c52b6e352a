import type { Probot } from 'probot'
import type { GithubParts } from '../../context.ts'
import type { Repository as Row } from '../../db/generated/client.ts'
import type { Job } from '../../jobs.ts'
import { safely } from '../../log.ts'
import { settingsInForce } from '../../records/settings.ts'
import { followLimit } from '../pulls/limit.ts'
import { listPulls, type Reading, readHeads } from '../pulls/read-repository.ts'
import { repositoriesToRead } from '../pulls/unread.ts'
import { repositoryOf } from '../repositories.ts'
import { isSettingsDue, readSettings } from '../settings-file.ts'
import { discovery, findRepositories } from './installations.ts'
import { redeliver } from './redeliver.ts'
import { isRefusal, leaveToCallers } from './refusal.ts'

const minute = 60_000
const hour = 60 * minute
const week = 7 * 24 * hour
/** Heads of strangers are read with what is above this part of the limit. */
const leastForStrangers = 0.5
const mostHeads = 40

export interface JobParts extends GithubParts {
  probot: Probot
}

/** How the App reads pull requests, and learns of what no delivery told. */
export function readingJobs(parts: JobParts): Job[] {
  const { probot, prisma, now } = parts
  return [
    { name: discovery, everyMs: hour, run: () => findRepositories(probot, prisma, now) },
    { name: 'list open pull requests', everyMs: minute, run: () => listDue(parts) },
    { name: 'read pull requests', everyMs: 2_000, run: () => readUnread(parts) },
    {
      name: 'ask for lost deliveries',
      everyMs: 10 * minute,
      run: (state, save) => redeliver(probot, now(), state, save),
    },
  ]
}

/** Where the last list is over an hour old, and there was an event or a request within a week. */
async function listDue(parts: JobParts): Promise<void> {
  const at = parts.now().getTime()
  const where = {
    OR: [{ pulls_asked_at: null }, { pulls_asked_at: { lte: new Date(at - hour) } }],
    ...{ installation_id: { not: null }, is_suspended: false, requested_at: { gt: new Date(at - week) } },
  }
  const rows = await parts.prisma.repository.findMany({ where, orderBy: { pulls_asked_at: 'asc' } })
  for (const row of rows) await apart(parts, row, () => listAll(parts, row))
}

async function listAll(parts: JobParts, row: Row): Promise<void> {
  const { prisma, now } = parts
  const at = now()
  const where = { repository_id: row.repository_id }
  await prisma.repository.update({ where, data: { pulls_asked_at: at } })
  const reading = await readingOf(parts, row)
  if (!reading) return
  await listPulls(reading)
  const isNews = row.pulls_read_at === null || row.pulls_failed_at !== null
  const data = { pulls_read_at: at, pulls_failed_at: null, pulls_unlisted: 0, ...(isNews && { updated_at: now() }) }
  await prisma.repository.update({ where, data })
}

async function readUnread(parts: JobParts): Promise<void> {
  const { prisma, now } = parts
  for (const repository_id of await repositoriesToRead(prisma, now())) {
    const row = await prisma.repository.findUniqueOrThrow({ where: { repository_id } })
    await apart(parts, row, async () => {
      const reading = await readingOf(parts, row)
      if (reading) await readHeads(reading, mostHeads)
    })
  }
}

/** A repository that fails does not keep the others waiting. It is listed again after 5 minutes. */
async function apart({ prisma, now, log }: JobParts, row: Row, step: () => Promise<void>): Promise<void> {
  const { repository_id } = row
  try {
    await step()
  } catch (error) {
    log.warn({ repository: String(repository_id), ...safely(error) }, 'pull requests could not be read')
    if (isRefusal(error)) return leaveToCallers(prisma, row)
    const again = { pulls_asked_at: new Date(now().getTime() - hour + 5 * minute) }
    const data = { ...again, pulls_failed_at: now(), updated_at: now() }
    await prisma.repository.updateMany({ where: { repository_id }, data })
  }
}

/** With the settings as they are now; null where pull requests are not observed. */
async function readingOf(parts: JobParts, row: Row): Promise<Reading | null> {
  const { probot, prisma, now, log, defaults, githubServerUrl } = parts
  const octokit = await probot.auth(Number(row.installation_id))
  const left = followLimit(octokit)
  if (isSettingsDue(row, now())) await readSettings({ prisma, now, log }, row, octokit)
  const known = await prisma.repository.findUniqueOrThrow({ where: { repository_id: row.repository_id } })
  const { values: settings } = settingsInForce(known.settings, defaults)
  if (!settings.enabled) return null
  const observing = { repository: repositoryOf(known), settings, githubServerUrl }
  return { prisma, octokit, observing, now, log, mayGoOn: () => true, withStrangers: () => left() >= leastForStrangers }
}
