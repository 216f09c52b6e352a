import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A file system in memory, on Linux. */
const memory = '/dev/shm'
const needed = 4_000_000_000

/**
 * Makes the directory of temporary files one in memory where 4 GB are free and programs may run, unless `TMPDIR` names one. Tests
 * write many small files: there a database is created in a twentieth of the time. Returns what removes it.
 */
export async function useMemory(): Promise<() => Promise<void>> {
  const nothing = async () => {}
  if (process.env.TMPDIR !== undefined || (await freeBytes()) < needed) return nothing
  const directory = await mkdtemp(join(memory, 'headsup-tests-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  // As root, PostgreSQL runs as another user.
  await chmod(directory, 0o755)
  if (!(await mayRunPrograms(directory))) return remove().then(() => nothing)
  // The workers inherit it.
  process.env.TMPDIR = directory
  return remove
}

async function freeBytes(): Promise<number> {
  return statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
}

async function mayRunPrograms(directory: string): Promise<boolean> {
  const program = join(directory, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  return promisify(execFile)(program).then(
    () => true,
    () => false,
  )
}
