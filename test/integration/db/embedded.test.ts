import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordedPid } from '../../../src/service/db/embedded/orphan.ts'
import { postgresUser } from '../../../src/service/db/embedded/user.ts'
import { query } from '../../support/query.ts'
import { isAlive, scratch } from '../../support/scratch.ts'
import { keptLog, startScratch, usedDirectory } from './scratch-postgres.ts'

const patience = { timeout: 25_000 }
const isRoot = process.getuid?.() === 0

async function postmaster(dataDir: string): Promise<number> {
  const pid = await recordedPid(join(dataDir, 'postgres'))
  if (pid === undefined) throw new Error('no server runs')
  return pid
}

describe('the embedded PostgreSQL', () => {
  it('keeps data from one start to the next, durably, in UTF-8 and UTC', async () => {
    const dataDir = await scratch()
    const first = await startScratch(dataDir)
    await query(first.url, `create table kept as select 'Grüße 🙂' as word`)
    await first.stop()
    const second = await startScratch(dataDir)
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'Grüße 🙂' }])
    expect(
      await query(
        second.url,
        `select current_setting('fsync') fsync, current_setting('TimeZone') zone,
                current_setting('server_encoding') encoding, current_setting('listen_addresses') addresses`,
      ),
    ).toEqual([{ fsync: 'on', zone: 'UTC', encoding: 'UTF8', addresses: '127.0.0.1' }])
  })

  it('requires the password of the data directory, which only its owner can read', async () => {
    const dataDir = await usedDirectory()
    const { url } = await startScratch(dataDir)
    for (const password of ['', 'postgres']) {
      const other = new URL(url)
      other.password = password
      await expect(query(other.href, 'select 1')).rejects.toThrow(/password/)
    }
    const file = join(dataDir, 'postgres.password')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(new URL(url).password).toBe(await readFile(file, 'utf8'))
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0)
  })

  it('rejects a second start while the first runs, and accepts it afterwards', async () => {
    const dataDir = await usedDirectory()
    const first = await startScratch(dataDir)
    await expect(startScratch(dataDir)).rejects.toThrow(`another Headsup is running on the data directory ${dataDir}`)
    await query(first.url, 'select 1')
    await first.stop()
    await startScratch(dataDir)
  })

  it('lets one of several concurrent starts succeed, with and without existing data', async () => {
    const dataDir = await scratch()
    for (const _round of ['new', 'old']) {
      const starts = await Promise.allSettled(Array.from({ length: 5 }, () => startScratch(dataDir)))
      const won = starts.filter((start) => start.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]?.value.stop()
    }
  })

  it('starts despite remains of an earlier service: a socket, an incomplete cluster, its password', async () => {
    const dataDir = await scratch()
    await mkdir(join(dataDir, 'postgres.new/base'), { recursive: true })
    for (const file of ['postgres.new/PG_VERSION', 'postgres.password', 'service.sock']) {
      await writeFile(join(dataDir, file), '')
    }
    const { url, stop } = await startScratch(dataDir)
    await query(url, 'select 1')
    await stop()
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.password'])
  })

  it('works if the path of the data directory is too long for a socket', async () => {
    const dataDir = join(await scratch(), 'a'.repeat(100), 'b'.repeat(100))
    const { url } = await startScratch(dataDir)
    await query(url, 'select 1')
    await expect(startScratch(dataDir)).rejects.toThrow(/another Headsup is running/)
  })

  it('does not change a directory that contains something else', async () => {
    const dataDir = await scratch()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres/precious'), 'gold')
    await expect(startScratch(dataDir)).rejects.toThrow(/not the data of a PostgreSQL/)
    expect(await readFile(join(dataDir, 'postgres/precious'), 'utf8')).toBe('gold')
  })

  it('reports why the data directory can not be made', async () => {
    const file = join(await scratch(), 'file')
    await writeFile(file, '')
    await expect(startScratch(join(file, 'data'))).rejects.toThrow(/can not be made \(HEADSUP_DATA_DIR\): E/)
  })

  it('reports a lost password, and leaves no server running', async () => {
    const dataDir = await usedDirectory()
    await writeFile(join(dataDir, 'postgres.password'), 'another')
    await expect(startScratch(dataDir)).rejects.toThrow(/has another password/)
    expect(await recordedPid(join(dataDir, 'postgres'))).toBeUndefined()
    await rm(join(dataDir, 'postgres.password'))
    await expect(startScratch(dataDir)).rejects.toThrow(/password of the embedded PostgreSQL can not be read/)
  })

  it('starts, and stops no other process that has the pid of an ended server', async () => {
    const dataDir = await usedDirectory()
    const first = await startScratch(dataDir)
    await query(first.url, 'create table kept as select 1 as number')
    const lockFile = join(dataDir, 'postgres/postmaster.pid')
    const lock = await readFile(lockFile, 'utf8')
    await first.stop()
    // The user who runs the server could end it.
    const bystander = spawn('sleep', ['600'], { ...(await postgresUser()), stdio: 'ignore' })
    onTestFinished(() => void bystander.kill('SIGKILL'))
    await once(bystander, 'spawn')
    await writeFile(lockFile, lock.replace(/^\d+/, String(bystander.pid)))
    const second = await startScratch(dataDir)
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 1 }])
    expect(bystander.signalCode ?? bystander.exitCode).toBeNull()
    expect(await postmaster(dataDir)).not.toBe(bystander.pid)
  })

  it('passes none of our environment to PostgreSQL', async () => {
    const dataDir = await usedDirectory()
    await startScratch(dataDir)
    if (process.platform !== 'linux') return
    const environment = await readFile(`/proc/${await postmaster(dataDir)}/environ`, 'utf8')
    expect(environment).toContain('LC_ALL=C')
    expect(environment).not.toContain('PATH=')
  })
})

describe('a PostgreSQL that crashes', () => {
  it('is restarted on the same address with all committed data, and the restart is logged', async () => {
    const dataDir = await usedDirectory()
    const { log, lines } = keptLog()
    const { url, stop } = await startScratch(dataDir, log)
    await query(url, 'create table kept as select 1 as number')
    for (let crash = 1; crash <= 2; crash++) {
      const pid = await postmaster(dataDir)
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => lines.filter((line) => line.includes('answers again')).length, patience).toBe(crash)
      expect(await query(url, 'select number from kept')).toEqual([{ number: 1 }])
      expect(await postmaster(dataDir)).not.toBe(pid)
    }
    expect(lines.filter((line) => line.includes('"signal":"SIGKILL"'))).toHaveLength(2)
    const last = await postmaster(dataDir)
    await stop()
    expect(isAlive(last)).toBe(false)
  })

  it('is stopped if the stop comes during the restart', async () => {
    const dataDir = await usedDirectory()
    for (const delay of [0, 5, 20, 60]) {
      const { log, lines } = keptLog()
      const { stop } = await startScratch(dataDir, log)
      process.kill(await postmaster(dataDir), 'SIGKILL')
      await expect.poll(() => lines.join(), { ...patience, interval: 1 }).toContain('starting it again')
      await new Promise((resolve) => setTimeout(resolve, delay))
      await stop()
      const left = await recordedPid(join(dataDir, 'postgres'))
      expect(left !== undefined && isAlive(left)).toBe(false)
    }
  })

  it('keeps its address if another program uses it for a while', async () => {
    const dataDir = await usedDirectory()
    const { log, lines } = keptLog()
    const { url } = await startScratch(dataDir, log)
    const answers = (times: number) =>
      expect.poll(() => lines.filter((line) => line.includes('answers again')).length, patience).toBe(times)
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await answers(1)
    const seize = `const { createServer } = require('node:net')
      const seize = () => createServer().once('error', () => setImmediate(seize))
        .listen(${new URL(url).port}, '127.0.0.1', () => console.log('seized'))
      console.log('trying')
      seize()`
    const other = spawn(process.execPath, ['-e', seize], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void other.kill())
    await once(other.stdout, 'data')
    // A second crash soon after the first is waited out, which gives the other program its chance.
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await once(other.stdout, 'data')
    await expect.poll(() => lines.join(), patience).toContain('Address already in use')
    other.kill()
    await answers(2)
    await query(url, 'select 1')
  })
})

describe.runIf(isRoot)('as root', () => {
  it('keeps the data where the user of PostgreSQL can reach it, finds it again, and logs the path', async () => {
    const dataDir = await scratch({ mode: 0o700 })
    const { log, lines } = keptLog()
    const first = await startScratch(dataDir, log)
    const place = /"directory":"([^"]*)"/.exec(lines.join())?.[1] ?? ''
    onTestFinished(() => rm(place, { recursive: true, force: true }))
    expect(place).toMatch(/^\/var\/lib\/headsup\//)
    await query(first.url, 'create table kept as select 1 as number')
    await expect(startScratch(dataDir)).rejects.toThrow(/another Headsup is running/)
    await first.stop()
    const second = await startScratch(dataDir)
    expect(await query(second.url, 'select number from kept')).toEqual([{ number: 1 }])
  })

  it('runs the data of another user as that user', async () => {
    const dataDir = await usedDirectory()
    const nobody = { uid: 65_534, gid: 65_534 }
    const chown = spawn('chown', ['-R', `${nobody.uid}:${nobody.gid}`, join(dataDir, 'postgres')])
    await once(chown, 'close')
    const { url } = await startScratch(dataDir)
    await query(url, 'select 1')
    expect((await stat(join(dataDir, 'postgres/postmaster.pid'))).uid).toBe(nobody.uid)
  })
})
