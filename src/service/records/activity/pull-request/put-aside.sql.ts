import type { Activity as ActivityModel, Prisma } from '../../../db/generated/client.ts'

/**
 * Puts the pull request or the branch of observed work aside, in the transaction that ends that work. No reading makes
 * a new record of it before its next push or reopening. A login that is not known is saved as an empty text, since
 * answers count such pull requests too.
 */
export async function putAside(
  tx: Prisma.TransactionClient,
  {
    repository_id,
    id,
    pr_number,
    source,
    branch,
  }: Pick<ActivityModel, 'repository_id' | 'id' | 'pr_number' | 'source' | 'branch'>,
  login: string | null,
): Promise<void> {
  if (source === 'branch') {
    await tx.$executeRaw`
      update pushed_branches set activity_id = null, files_head_sha = head_sha
       where repository_id = ${repository_id} and branch = ${branch} and activity_id = ${id}`
    return
  }
  await tx.$executeRaw`
    update pull_requests set activity_id = null, put_aside_by = ${login ?? ''}, put_aside_head_sha = head_sha, unread_since = null
     where repository_id = ${repository_id} and number = ${pr_number} and activity_id = ${id} and state = 'open'`
}
