import { chmod, chown, cp, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { superuser } from '../../../src/service/db/embedded/cluster.ts'
import { query } from '../../support/query.ts'
import { type Postgres, runOn } from './postgres.ts'

export interface Replica extends Postgres {
  /** Promotes it. Resolves when it accepts writes. */
  promote(): Promise<void>
}

/**
 * Starts a synchronous hot standby of the primary. The primary is stopped, its files are copied (the npm package has no
 * `pg_basebackup`), and it is started again. From then on it acknowledges only commits that the replica has.
 */
export async function startReplica(primary: Postgres): Promise<Replica> {
  const { home, directory } = await copyData(primary, 'standby.signal')
  const { password } = primary.cluster
  const stream = `host=127.0.0.1 port=${primary.port} user=${superuser} password=${password} application_name=replica`
  const replica = await runOn(home, { ...primary.cluster, directory }, [`primary_conninfo=${stream}`])
  await query(primary.url, `alter system set synchronous_standby_names = 'replica'`)
  await query(primary.url, 'select pg_reload_conf()')
  return {
    ...replica,
    async promote() {
      await query(replica.url, 'select pg_promote(true, 30)')
    },
  }
}

/** Starts a server on a copy of the data as they are now. */
export async function copyServer(primary: Postgres): Promise<Postgres> {
  const { home, directory } = await copyData(primary)
  return runOn(home, { ...primary.cluster, directory }, [])
}

/** Stops the server while its files are copied, and starts it again. */
async function copyData(primary: Postgres, signalFile?: string): Promise<{ home: string; directory: string }> {
  await primary.end('SIGINT')
  const home = await mkdtemp(join(tmpdir(), 'headsup-replica-'))
  await chmod(home, 0o755)
  const directory = join(home, 'postgres')
  await cp(primary.cluster.directory, directory, { recursive: true, preserveTimestamps: true })
  if (signalFile !== undefined) await writeFile(join(directory, signalFile), '')
  await changeOwner(directory, primary)
  await primary.start()
  return { home, directory }
}

/** As root, PostgreSQL runs as another user, who must changeOwner the files. */
async function changeOwner(directory: string, { cluster: { user } }: Postgres): Promise<void> {
  await chmod(directory, 0o700)
  if (!user) return
  const inside = await readdir(directory, { recursive: true })
  for (const path of ['.', ...inside]) await chown(join(directory, path), user.uid, user.gid)
}
