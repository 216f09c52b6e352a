import { RequestError } from '@octokit/request-error'
import type { PrismaClient, Repository as Row } from '../../db/generated/client.ts'
import { refusalOf } from '../access-errors.ts'

/** Whether GitHub refuses the token of an installation: it was suspended, uninstalled, or may not read this repository. */
export function isRefusal(error: unknown): error is RequestError {
  if (!(error instanceof RequestError) || refusalOf(error).code === 'rate_limited') return false
  return [401, 403, 404, 451].includes(error.status)
}

/** Whether the App lacks the permission for requests whose address holds this. Where the token itself is refused, it may have it. */
export function lacksPermission(error: unknown, address: string): boolean {
  return isRefusal(error) && error.status === 403 && error.request.url.includes(address)
}

/** The App does not read this repository: callers' tokens do, from their next request on. */
export async function leaveToCallers(prisma: PrismaClient, { repository_id, installation_id }: Row): Promise<void> {
  const where = { repository_id, installation_id }
  await prisma.repository.updateMany({ where, data: { installation_id: null, pulls_asked_at: null } })
}
