import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import { LRUCache } from 'lru-cache'
import type { SettingsFile } from '../../core/schemas/settings.ts'
import type { Parts } from '../context.ts'
import { Prisma, type Repository as Row } from '../db/generated/client.ts'
import { inTransaction, type Transaction } from '../db/retry.ts'
import { safely } from '../log.ts'
import { forgetObserved } from '../observed/forget.ts'
import { differing } from '../records/differing.ts'
import type { PushPayload } from './app/handling.ts'
import { isReadByApp } from './repositories.ts'
import { parseSettingsFile } from './settings-yaml.ts'

export const settingsPath = '.github/headsup.yml'
/** The repository whose file holds for all of its owner's that have none. */
const ofOwner = '.github'
const readMs = 600_000

type Client = Pick<Octokit, 'rest'>

/** After a push that touches the file it is read anew, in all repositories where it may hold. */
export async function changedSettings(
  tx: Transaction,
  { id, owner, name }: { id: bigint; owner: string; name: string },
  commits: PushPayload['commits'],
): Promise<void> {
  const touched = commits.some(({ added = [], modified = [], removed = [] }) =>
    [added, modified, removed].some((paths) => paths.includes(settingsPath)),
  )
  if (!touched) return
  const where = name.toLowerCase() === ofOwner ? { owner } : { repository_id: id }
  await tx.repository.updateMany({ where, data: { settings_asked_at: null } })
}

/**
 * Reads the settings file where it was not read for 10 minutes. One that can not be read or is not valid leaves the last good one
 * in force. Where GitHub refuses the token of a caller, others may try at once. Returns whether it did.
 */
export async function readSettings({ prisma, now, log }: Parts, row: Row, octokit: Client): Promise<boolean> {
  const { repository_id, settings_asked_at: before } = row
  const at = now()
  const isDue = { OR: [{ settings_asked_at: null }, { settings_asked_at: { lte: new Date(at.getTime() - readMs) } }] }
  const where = { repository_id, ...isDue }
  const { count } = await prisma.repository.updateMany({ where, data: { settings_asked_at: at } })
  if (count === 0) return false
  try {
    const found = await findFile(octokit, row)
    await inTransaction(prisma, (tx) => saveSettings(tx, row, found, now()))
    return false
  } catch (error) {
    log.info({ repository: String(repository_id), ...safely(error) }, 'the settings file could not be read')
    const isRefused = error instanceof RequestError && error.status < 500 && !isReadByApp(row)
    const mine = { repository_id, settings_asked_at: at }
    if (isRefused) await prisma.repository.updateMany({ where: mine, data: { settings_asked_at: before } })
    return isRefused
  }
}

/** Readings of settings files by requests. One of this process is joined; a token that was refused does not ask again soon. */
export function createSettingsReadings(parts: Parts) {
  const underWay = new Map<bigint, Promise<void>>()
  const refused = new LRUCache<string, true>({ max: 10_000, ttl: readMs })
  return (row: Row, key: string, client: () => Promise<Client>): Promise<void> | null => {
    const { repository_id: id } = row
    const joined = underWay.get(id)
    if (joined) return joined
    const own = `${key} ${id}`
    if (!isSettingsDue(row, parts.now()) || refused.has(own)) return null
    const reading = client()
      .then(async (octokit) => void ((await readSettings(parts, row, octokit)) && refused.set(own, true)))
      .catch((error: unknown) => parts.log.warn(safely(error), 'the settings file could not be read'))
      .finally(() => underWay.delete(id))
    underWay.set(id, reading)
    return reading
  }
}

export function isSettingsDue({ settings_asked_at }: Row, now: Date): boolean {
  return settings_asked_at === null || now.getTime() - settings_asked_at.getTime() >= readMs
}

interface Found {
  repository: string
  bytes: Uint8Array
}

/** The file and where it is; null: there is none. Throws where it can not be read. */
async function findFile(octokit: Client, { owner, name, is_public, settings_file }: Row) {
  const own = await contentOf(octokit, owner, name)
  if (own !== null || name.toLowerCase() === ofOwner) return own
  const theirs = await contentOf(octokit, owner, ofOwner)
  const inForce = settings_file as Columns['settings_file']
  const wasTheirs = inForce?.repository.endsWith(`/${ofOwner}`) ?? false
  if (theirs === null ? !wasTheirs : !is_public) return theirs
  // This throws where the token does not see that repository: a file that is there is missing for it, too.
  const { data } = await octokit.rest.repos.get({ owner, repo: ofOwner })
  // Everybody could read the settings of a private repository in a public one.
  return data.private && is_public ? null : theirs
}

async function contentOf(octokit: Client, owner: string, repo: string): Promise<Found | null> {
  try {
    const { data } = await octokit.rest.repos.getContent({ owner, repo, path: settingsPath })
    // What holds goes on holding.
    if (Array.isArray(data) || data.type !== 'file' || !('content' in data)) throw new Error('it is no file')
    // GitHub sends no content of a large file.
    const bytes = data.encoding === 'base64' ? Buffer.from(data.content, 'base64') : new Uint8Array(data.size)
    return { repository: `${owner}/${repo}`, bytes }
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  }
}

async function saveSettings(tx: Transaction, row: Row, found: Found | null, now: Date) {
  const { repository_id } = row
  const columns = columnsOf(found)
  const isNews = Object.keys(differing(row, columns)).length > 0
  const { settings, settings_file, settings_problems } = columns
  await tx.repository.update({
    where: { repository_id },
    data: {
      ...(settings !== undefined && { settings: settings ?? Prisma.DbNull }),
      ...(settings_file !== undefined && { settings_file: settings_file ?? Prisma.DbNull }),
      ...{ settings_problems, settings_read_at: now, ...(isNews && { updated_at: now }) },
    },
  })
  if (settings?.enabled === false && row.pulls_read_at !== null) await forgetObserved(tx, repository_id, now)
}

interface Columns {
  settings?: SettingsFile | null
  settings_file?: { repository: string; path: string } | null
  settings_problems: { field: string; message: string }[]
}

/** What is not there stays as it is. */
function columnsOf(found: Found | null): Columns {
  if (found === null) return { settings: null, settings_file: null, settings_problems: [] }
  const parsed = parseSettingsFile(found.bytes)
  if ('problems' in parsed) return { settings_problems: parsed.problems }
  const settings_file = { repository: found.repository, path: settingsPath }
  return { settings: parsed.file, settings_file, settings_problems: [] }
}
