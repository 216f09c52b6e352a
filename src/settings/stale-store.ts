import type { Prisma } from '../db/generated/client.ts'

/** Marks the settings of a repository as stale: the next use reads the file again (docs/rules.md#reading-settings). */
export function markSettingsStale(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<number> {
  return tx.$executeRaw`update repository_settings set marks = marks + 1 where repository_id = ${repositoryId}`
}

/** The same for all repositories of an owner: of their `.github` repository, or of their installation. Locked in one order. */
export function markOwnersSettingsStale(tx: Prisma.TransactionClient, owner: string): Promise<number> {
  return tx.$executeRaw`
    update repository_settings as settings set marks = marks + 1
      from (select repository_id from repository_settings where lower(owner) = lower(${owner})
             order by repository_id for update) as theirs
     where settings.repository_id = theirs.repository_id`
}
