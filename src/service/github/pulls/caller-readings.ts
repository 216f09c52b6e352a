import { RequestError } from '@octokit/request-error'
import { LRUCache } from 'lru-cache'
import type { Parts } from '../../context.ts'
import type { Repository as Row } from '../../db/generated/client.ts'
import { safely } from '../../log.ts'
import { octokitOf } from '../octokit.ts'
import { followLimit } from './limit.ts'
import { listPulls, type Reading, readHeads } from './read-repository.ts'

const minute = 60_000
const most = { pages: 3, heads: 100, ms: 30_000 }
/** A caller's token is not spent below this part of its limit. */
const leastLeft = 0.2

/** A token, and its hash. */
interface Asker {
  token: string
  key: string
}

export interface BegunReading {
  isDone: Promise<void>
  /** The last one, failed ones counted, was over 5 minutes ago: it is worth waiting for. */
  isWorthWaiting: boolean
}

/** Readings of repositories without the App, with the tokens of those who ask about them: at most one a minute. */
export function createCallerReadings({ prisma, now, log }: Parts, apiUrl: string) {
  const underWay = new Map<bigint, BegunReading>()
  /** When GitHub refused a token a reading. Others are not held back by it. */
  const refused = new LRUCache<string, number>({ max: 10_000, ttl: 5 * minute })

  async function claim({ repository_id }: Row, at: Date): Promise<boolean> {
    const before = new Date(at.getTime() - minute)
    const isDue = { OR: [{ pulls_asked_at: null }, { pulls_asked_at: { lte: before } }] }
    const where = { repository_id, ...isDue }
    const { count } = await prisma.repository.updateMany({ where, data: { pulls_asked_at: at } })
    return count > 0
  }

  async function read(row: Row, observing: Reading['observing'], { token, key }: Asker, at: Date): Promise<void> {
    const { repository_id } = row
    const octokit = octokitOf(token, apiUrl)
    const left = followLimit(octokit)
    const until = performance.now() + most.ms
    const mayGoOn = () => performance.now() < until && left() >= leastLeft
    const reading = { prisma, octokit, observing, now, log, mayGoOn, withStrangers: () => true }
    try {
      const pulls_unlisted = await listPulls(reading, most.pages)
      await readHeads(reading, most.heads)
      const isNews = row.pulls_read_at === null || row.pulls_failed_at !== null || row.pulls_unlisted !== pulls_unlisted
      const data = { pulls_read_at: at, pulls_failed_at: null, pulls_unlisted, ...(isNews && { updated_at: now() }) }
      await prisma.repository.update({ where: { repository_id }, data })
    } catch (error) {
      log.info({ repository: String(repository_id), ...safely(error) }, 'pull requests could not be read')
      const isRefused = isOfToken(error)
      if (isRefused) refused.set(`${key} ${repository_id}`, at.getTime())
      const data = isRefused ? { pulls_asked_at: row.pulls_asked_at } : { pulls_failed_at: now(), updated_at: now() }
      await prisma.repository.updateMany({ where: { repository_id, pulls_asked_at: at }, data })
    }
  }

  /** Begins a reading where one is due, or joins the one of this process; null where there is none. */
  return async (row: Row, observing: Reading['observing'], asker: Asker) => {
    const { repository_id: id, pulls_asked_at } = row
    const joined = underWay.get(id)
    if (joined) return joined
    const at = now()
    const last = Math.max(pulls_asked_at?.getTime() ?? 0, refused.get(`${asker.key} ${id}`) ?? 0)
    if (at.getTime() - last < minute || !(await claim(row, at))) return null
    const isDone = read(row, observing, asker, at)
      .catch((error: unknown) => log.warn(safely(error), 'a reading could not be saved'))
      .finally(() => underWay.delete(id))
    const begun = { isDone, isWorthWaiting: at.getTime() - last > 5 * minute }
    underWay.set(id, begun)
    return begun
  }
}

/** Whether GitHub refuses this token, and maybe no other. */
function isOfToken(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500
}
