import type { Database } from '../db/database.ts'
import type { WriteTimes } from './write-pace.ts'

/** When the check runs of an owner's repositories were written. One instance at a time writes them. */
export async function loadWriteTimes({ prisma }: Database, owner: string): Promise<WriteTimes> {
  const pace = await prisma.reportPace.findUnique({ where: { owner } })
  const inMs = (times: readonly Date[] = []) => times.map((at) => at.getTime())
  return { all: inMs(pace?.written_at), forNotables: inMs(pace?.notable_written_at) }
}

export async function saveWriteTimes({ prisma }: Database, owner: string, times: WriteTimes): Promise<void> {
  const asDates = (inMs: readonly number[]) => inMs.map((ms) => new Date(ms))
  const columns = { written_at: asDates(times.all), notable_written_at: asDates(times.forNotables) }
  await prisma.reportPace.upsert({ where: { owner }, create: { owner, ...columns }, update: columns })
}
