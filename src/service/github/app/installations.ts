import type { Probot } from 'probot'
import type { PrismaClient } from '../../db/generated/client.ts'
import { inTransaction, type Transaction } from '../../db/retry.ts'
import { forgetObserved } from '../../observed/forget.ts'

/** The job that asks GitHub which repositories the App reads. */
export const discovery = 'find repositories of the App'

interface Installation {
  id: number
  permissions?: { checks?: string | undefined } | object
}

interface Named {
  id: number
  full_name: string
  private: boolean
  default_branch?: string
}

/** The App reads these repositories from now on. An event may leave some out: GitHub is asked for all. */
export async function added(tx: Transaction, installation: Installation, repositories: readonly Named[], now: Date) {
  for (const repository of repositories) await install(tx, installation, repository, now)
  await tx.repository.updateMany({
    where: { installation_id: BigInt(installation.id) },
    data: { is_suspended: false, requested_at: now, ...grantOf(installation) },
  })
  await tx.job.updateMany({ where: { name: discovery }, data: { next_at: now } })
}

async function install(tx: Transaction, installation: Installation, repository: Named, now: Date): Promise<void> {
  const [owner = '', name = ''] = repository.full_name.split('/')
  const facts = { owner, name, is_public: !repository.private, installation_id: BigInt(installation.id) }
  const default_branch = repository.default_branch ?? null
  const given = { ...facts, ...grantOf(installation), is_suspended: false }
  await tx.repository.upsert({
    where: { repository_id: BigInt(repository.id) },
    create: { repository_id: BigInt(repository.id), ...given, default_branch, updated_at: now },
    update: { ...given, ...(default_branch !== null && { default_branch }) },
  })
}

/** Whether it may write check runs. An owner may grant that later. */
function grantOf({ permissions }: Installation) {
  if (!permissions) return {}
  return { may_write_checks: Reflect.get(permissions, 'checks') === 'write' }
}

export async function suspended(tx: Transaction, id: number): Promise<void> {
  await tx.repository.updateMany({ where: { installation_id: BigInt(id) }, data: { is_suspended: true } })
}

/** Uninstalling ends observed work. Recorded work stays. */
export async function uninstalled(tx: Transaction, id: number, now: Date): Promise<void> {
  const where = { installation_id: BigInt(id) }
  const rows = await tx.repository.findMany({ where, select: { repository_id: true } })
  for (const { repository_id } of rows) await forgetObserved(tx, repository_id, now)
  await tx.repository.updateMany({ where, data: { installation_id: null, is_suspended: false } })
}

export async function removed(tx: Transaction, repositories: readonly { id: number }[], now: Date): Promise<void> {
  for (const { id } of repositories) await forgetObserved(tx, BigInt(id), now)
  const where = { repository_id: { in: repositories.map(({ id }) => BigInt(id)) } }
  await tx.repository.updateMany({ where, data: { installation_id: null } })
}

/** Asks GitHub which repositories the App reads, and what its owners let it do. */
export async function findRepositories(probot: Probot, prisma: PrismaClient, now: () => Date): Promise<void> {
  const before = new Set((await readRepositories(prisma)).map(({ id }) => id))
  const app = await probot.auth()
  const known = new Set<number>()
  for (const installation of await app.paginate(app.rest.apps.listInstallations, { per_page: 100 })) {
    if (installation.suspended_at !== null) {
      await suspended(prisma, installation.id)
      continue
    }
    const octokit = await probot.auth(installation.id)
    const list = octokit.rest.apps.listReposAccessibleToInstallation
    const found = await octokit.paginate(list, { per_page: 100 })
    for (const repository of found) {
      known.add(repository.id)
      await install(prisma, installation, repository, now())
    }
  }
  // An event may have added others meanwhile, which are not in the list.
  const gone = (await readRepositories(prisma)).filter(({ id }) => before.has(id) && !known.has(id))
  await inTransaction(prisma, (tx) => removed(tx, gone, now()))
}

async function readRepositories(prisma: PrismaClient): Promise<{ id: number }[]> {
  const where = { installation_id: { not: null }, is_suspended: false }
  const rows = await prisma.repository.findMany({ where, select: { repository_id: true } })
  return rows.map(({ repository_id }) => ({ id: Number(repository_id) }))
}
