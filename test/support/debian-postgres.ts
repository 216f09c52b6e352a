import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresUser } from '../../src/service/db/embedded-programs.ts'
import { freePort } from '../../src/service/db/free-port.ts'

const versions = '/usr/lib/postgresql'

/** A server of the newest PostgreSQL that Debian's packages have put here, without fsync. */
export async function startDebianPostgres() {
  const [newest = ''] = (await readdir(versions)).sort((a, b) => Number(b) - Number(a))
  const user = await postgresUser()
  const directory = await mkdtemp(join(tmpdir(), 'headsup-debian-'))
  await chmod(directory, 0o755)
  if (user) await chown(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(versions, newest, 'bin', program), args, { ...user, cwd: '/', env: { LC_ALL: 'C' } })
  await run('initdb', '-D', data, '-U', 'headsup', '--auth=trust', '--encoding=UTF8', '--no-sync')
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  await run('pg_ctl', 'start', '-D', data, '-l', join(directory, 'log'), '-w', '-o', options)
  return {
    url: `postgresql://headsup@127.0.0.1:${port}/postgres`,
    async stop() {
      await run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
