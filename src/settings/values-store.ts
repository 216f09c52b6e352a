import { z } from 'zod'
import type { Prisma } from '../db/generated/client.ts'
import { givenKeys } from './file.ts'
import { type Settings, SettingsFile } from './schema.ts'

const Kept = z.object({ file_values: SettingsFile })

/** The keys that the last good settings file of a repository sets; none where nothing readable is kept. */
export async function readKeptValues(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<Partial<Settings>> {
  const [row] = await tx.$queryRaw<unknown[]>`
    select file_values from repository_settings where repository_id = ${repositoryId}`
  const kept = Kept.safeParse(row)
  return kept.success ? givenKeys(kept.data.file_values) : {}
}
