import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startEmbedded } from '../../src/service/db/embedded.ts'
import { createLog } from '../../src/service/log.ts'
import { query } from '../support/database.ts'

const log = createLog({ logLevel: 'silent', isOnTerminal: false })

describe('§15 the embedded PostgreSQL', () => {
  const directories: string[] = []
  async function directory(mode: number): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'headsup-embedded-'))
    directories.push(path)
    await chmod(path, mode)
    return path
  }

  /** Made once: a server takes a second to make. Each test stops what it has started. */
  let dataDir: string
  beforeAll(async () => {
    dataDir = await directory(0o755)
  })
  afterAll(() => Promise.all(directories.map((path) => rm(path, { recursive: true, force: true }))))

  async function start(dataDir: string, warned: object[] = []) {
    const ended = vi.fn()
    const keeping = Object.assign(Object.create(log), { warn: (fields: object) => void warned.push(fields) })
    const postgres = await startEmbedded(dataDir, keeping, ended)
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await postgres.stop()
      isStopped = true
    }
    onTestFinished(() => stop().catch(() => {}))
    return { url: postgres.url, stop, ended }
  }

  const postmaster = async (dataDir: string) =>
    Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

  it('keeps data, is durable, private, and hears nothing of our environment', async () => {
    process.env.PGOPTIONS = '-c work_mem=1MB'
    process.env.PGDATABASE = 'elsewhere'
    const first = await start(dataDir)
    await query(first.url, `create table words as select 'Grüße' as word`)
    const shown = `select current_setting('fsync') fsync, current_setting('listen_addresses') addresses, current_setting('work_mem') mem`
    expect(await query(first.url, shown)).toEqual([{ fsync: 'on', addresses: '127.0.0.1', mem: '4MB' }])
    if (process.platform === 'linux')
      expect(await readFile(`/proc/${await postmaster(dataDir)}/environ`, 'utf8')).not.toContain('PATH=')
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
    await first.stop()
    expect(first.ended).not.toHaveBeenCalled()
    const second = await start(dataDir)
    expect(await query(second.url, 'select word from words')).toEqual([{ word: 'Grüße' }])
  })

  it('refuses a second start, and takes over what a killed service left', async () => {
    const first = await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(`another Headsup is running on the data directory`)
    // A killed service leaves its server, and loses its connections.
    await query(first.url, `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`)
    await vi.waitUntil(() => first.ended.mock.calls.length === 1)
    const second = await start(dataDir)
    expect(second.url).toBe(first.url)
  })

  it('tells when it dies, and starts again at once', async () => {
    const first = await start(dataDir)
    await query(first.url, 'create table kept as select 1 as number')
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await vi.waitUntil(() => first.ended.mock.calls.length === 1, { timeout: 10_000 })
    const second = await start(dataDir)
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 1 }])
  })

  it.runIf(process.getuid?.() === 0)('as root keeps its data where its user can reach it, and says where', async () => {
    const hidden = await directory(0o700)
    const warned: { directory?: string }[] = []
    const first = await start(hidden, warned)
    const home = warned[0]?.directory ?? ''
    expect(home).toMatch(/^\/var\/lib\/headsup\/\w{16}$/)
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    expect((await stat('/var/lib/headsup')).mode & 0o777).toBe(0o700)
    await query(first.url, 'create table kept as select 1 as number')
    await first.stop()
    const second = await start(hidden)
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 1 }])
  })
})
