import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStream } from '../../support/event-stream.ts'
import { connectRaw, type RawConnection } from '../../support/raw-client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 } })
})
afterAll(() => service.stop())

const mib = 1024 * 1024
const paths = Array.from({ length: 100 }, (_, n) => `src/${'a'.repeat(950)}/${n}.ts`)

/** A stream whose client reads nothing. */
async function openUnread({ path }: TestRepository, token: string): Promise<RawConnection> {
  const connection = await connectRaw(service.url)
  connection.socket.pause()
  connection.write(`GET /api/v1${path}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return connection
}

it('many unread streams of large records hold little, and others are answered as ever', async () => {
  const [hostile, other] = [service.newRepository(), service.newRepository()]
  const ids = await service.fillNotables(hostile, 100, () => ({ areas: [], paths }))
  const unread: RawConnection[] = []
  for (const token of [hostile.writer, hostile.otherWriter, hostile.reader])
    for (let n = 0; n < 9; n++) unread.push(await openUnread(hostile, token))
  const reading = await openStream(`${service.url}/api/v1${hostile.path}/events`, hostile.reader)
  await reading.data('snapshot')
  for (const [n, id] of ids.slice(0, 12).entries()) {
    service.clock.advance(1_000)
    expect((await hostile.patch(`/notables/${id}`, { summary: `Changed ${n}.` })).status).toBe(200)
    await reading.data('notable', n + 1)
    expect(service.liveBytes().unread).toBeLessThan(8 * mib)
  }
  expect(service.liveBytes().watched).toBeLessThan(16 * mib)
  const { activity } = await other.created('/activity', { title: 'a', summary: 'x', actor: 'alice' })
  expect((await other.page('/activity')).items).toMatchObject([{ id: activity.id }])
  for (const { socket } of unread) socket.destroy()
  await expect.poll(() => service.liveBytes().unread).toBe(0)
  reading.close()
})
