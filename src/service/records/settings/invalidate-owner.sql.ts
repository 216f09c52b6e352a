import type { Prisma } from '../../db/generated/client.ts'

/**
 * Invalidates the settings of all repositories of an owner, after a change of the owner's `.github` repository or
 * installation. Locks the rows in the order of their ids, so that two such events cannot deadlock.
 */
export function invalidateSettingsOfOwner(tx: Prisma.TransactionClient, owner: string): Promise<number> {
  return tx.$executeRaw`
    update repository_settings as settings set marks = marks + 1
      from (select repository_id from repository_settings where lower(owner) = lower(${owner})
             order by repository_id for update) as theirs
     where settings.repository_id = theirs.repository_id`
}
