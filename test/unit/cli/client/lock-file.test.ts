import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../../../src/cli/client/lock-file.ts'
import { scratch } from '../../../support/scratch.ts'

/** Longer than any test: whoever waits for this is waited for. */
const patient = 60_000

describe('work under a lock', () => {
  it('is done by one at a time', async () => {
    const directory = await scratch()
    const [file, lock] = [join(directory, 'count'), join(directory, 'lock')]
    writeFileSync(file, '0')
    const count = async () => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1))
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, count, patient)))
    expect(readFileSync(file, 'utf8')).toBe('20')
  })

  it('leaves no lock behind, also where it fails', async () => {
    const lock = join(await scratch(), 'lock')
    const failing = async () => {
      expect(existsSync(lock)).toBe(true)
      throw new Error('failed')
    }
    await expect(withLock(lock, failing)).rejects.toThrow('failed')
    expect(existsSync(lock)).toBe(false)
  })

  const old = new Date(0)
  const future = new Date(Date.now() + 3_600_000)
  it.each([
    ['long ago', old],
    ['by a clock that was ahead', future],
  ])('does not wait for a lock that was left %s', async (_, at) => {
    const lock = join(await scratch(), 'lock')
    writeFileSync(lock, '')
    utimesSync(lock, at, at)
    const isMine = async () => existsSync(lock)
    expect(await withLock(lock, isMine, patient)).toBe(true)
    expect(existsSync(lock)).toBe(false)
  })

  it.each([
    ['is held by another one', (lock: string) => writeFileSync(lock, '')],
    ['is a directory', mkdirSync],
    ['is a link to nowhere', (lock: string) => symlinkSync('nowhere', lock)],
  ])('is done all the same, and in time, where the lock %s', async (_, make) => {
    const lock = join(await scratch(), 'lock')
    make(lock)
    expect(await withLock(lock, async () => 'done')).toBe('done')
  })

  it('is done all the same where there can be no lock', async () => {
    expect(await withLock(join(await scratch(), 'nowhere/lock'), async () => 'done', patient)).toBe('done')
  })

  it('leaves the lock to whom it belongs', async () => {
    const lock = join(await scratch(), 'lock')
    writeFileSync(lock, '')
    await withLock(lock, async () => {})
    expect(existsSync(lock)).toBe(true)
  })
})
