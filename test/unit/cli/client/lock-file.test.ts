import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLock } from '../../../../src/cli/client/work/lock-file.ts'
import { scratch } from '../../../support/scratch.ts'

/** Longer than any test takes. */
const longMs = 60_000

describe('work under a lock', () => {
  it('runs one at a time', async () => {
    const directory = await scratch()
    const [file, lock] = [join(directory, 'count'), join(directory, 'lock')]
    writeFileSync(file, '0')
    const count = async () => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1))
    await Promise.all(Array.from({ length: 20 }, () => withLock(lock, count, longMs)))
    expect(readFileSync(file, 'utf8')).toBe('20')
  })

  it('removes the lock afterwards, also after a failure', async () => {
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
    expect(await withLock(lock, isMine, longMs)).toBe(true)
    expect(existsSync(lock)).toBe(false)
  })

  it.each([
    ['is held by another process', (lock: string) => writeFileSync(lock, '')],
    ['is a directory', mkdirSync],
    ['is a broken link', (lock: string) => symlinkSync('nowhere', lock)],
  ])('runs without the lock, after a short wait, where the lock %s', async (_, make) => {
    const lock = join(await scratch(), 'lock')
    make(lock)
    expect(await withLock(lock, async () => 'done')).toBe('done')
  })

  it('runs without the lock where the lock can not be created', async () => {
    expect(await withLock(join(await scratch(), 'nowhere/lock'), async () => 'done', longMs)).toBe('done')
  })

  it('does not remove the lock of another process', async () => {
    const lock = join(await scratch(), 'lock')
    writeFileSync(lock, '')
    await withLock(lock, async () => {})
    expect(existsSync(lock)).toBe(true)
  })
})
