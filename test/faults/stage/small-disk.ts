import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { superuser } from '../../../src/service/db/embedded/cluster.ts'
import { secret } from '../../support/deliveries.ts'
import { main, type Program, startProgram } from '../../support/program.ts'

/** The built program with its embedded PostgreSQL on a small file system of its own. */
export interface SmallDisk {
  program: Program
  /** Of the embedded PostgreSQL. */
  databaseUrl: string
  /** Leaves so many bytes free. */
  fill(free: number): void
  /** Frees what was filled. */
  empty(): void
  stop(): Promise<void>
}

/** Whether this process may mount a file system, in a namespace of its own. */
export function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}

/** Starts it on a tmpfs, which nobody else sees and which ends with the program. */
export async function startOnSmallDisk(settings: Record<string, string>): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-disk-'))
  await chmod(directory, 0o755)
  const mount = 'mount -t tmpfs -o size=192m,mode=755 tmpfs "$0" && exec "$@"'
  const command = ['unshare', '--mount', 'sh', '-c', mount, directory, process.execPath, main]
  const always = { HOST: '127.0.0.1', HEADSUP_DATA_DIR: directory, LOG_LEVEL: 'warn', WEBHOOK_SECRET: secret }
  const program = await startProgram({ ...always, ...settings }, tmpdir(), command)
  // The file system as the program sees it.
  const disk = join(`/proc/${program.child.pid}/root`, directory)
  const [password, state] = ['postgres.password', 'postgres/postmaster.pid'].map((file) =>
    readFileSync(join(disk, file), 'utf8').trim(),
  )
  const port = state?.split('\n')[3]
  const filler = join(disk, 'filler')
  return {
    program,
    databaseUrl: `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    fill(free) {
      const file = openSync(filler, 'w')
      const page = Buffer.alloc(4_096)
      for (let { bavail, bsize } = statfsSync(disk); bavail * bsize > free; { bavail, bsize } = statfsSync(disk)) {
        writeSync(file, page)
      }
      closeSync(file)
    },
    empty: () => rmSync(filler),
    async stop() {
      await program.end()
      await rm(directory, { recursive: true })
    },
  }
}
