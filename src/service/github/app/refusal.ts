import { RequestError } from '@octokit/request-error'
import type { PrismaClient, Repository as Row } from '../../db/generated/client.ts'

/** Whether GitHub refuses the token of an installation: it was suspended, uninstalled, or may not read this repository. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false
  const { status, message, response } = error
  const isLimit = response?.headers['x-ratelimit-remaining'] === '0' || response?.headers['retry-after'] !== undefined
  return [401, 403, 404, 451].includes(status) && !isLimit && !/rate limit/i.test(message)
}

/** The App does not read this repository: callers' tokens do, from their next request on. */
export async function leaveToCallers(prisma: PrismaClient, { repository_id, installation_id }: Row): Promise<void> {
  const where = { repository_id, installation_id }
  await prisma.repository.updateMany({ where, data: { installation_id: null, pulls_asked_at: null } })
}
