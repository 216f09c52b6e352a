import type { Database } from '../db/database.ts'

/** When the check runs of an owner's repositories were written, in ms. One instance at a time writes them. */
export async function loadWriteTimes({ prisma }: Database, owner: string): Promise<number[]> {
  const pace = await prisma.reportPace.findUnique({ where: { owner } })
  return (pace?.written_at ?? []).map((at) => at.getTime())
}

export async function saveWriteTimes({ prisma }: Database, owner: string, times: readonly number[]): Promise<void> {
  const written_at = times.map((ms) => new Date(ms))
  await prisma.reportPace.upsert({ where: { owner }, create: { owner, written_at }, update: { written_at } })
}
