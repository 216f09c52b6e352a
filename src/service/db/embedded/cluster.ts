import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../../core/errors.ts'
import type { Log } from '../../lib/log.ts'
import { preparePrograms, runProgram } from './programs.ts'
import { isReachableBy, makePublic, postgresUser, type UnixUser } from './user.ts'

/** A data directory of PostgreSQL, its programs, and the user that runs them. */
export interface Cluster {
  /** The directory of the programs. */
  bin: string
  /** The user that runs the programs; undefined if it is the user of this process. */
  user: UnixUser | undefined
  directory: string
  password: string
}

/** The superuser, which is the only role. */
export const superuser = 'headsup'

/** The directory of programs and data if the user that runs PostgreSQL cannot reach the usual one. */
const sharedDirectory = '/var/lib/headsup'

/** Finds or creates the cluster in a data directory. The caller must hold its lock. Throws `StartError`. */
export async function prepareCluster(dataDirectory: string, log: Log): Promise<Cluster> {
  const fallback = join(sharedDirectory, createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16))
  const user = await postgresUser([dataDirectory, fallback].map((home) => join(home, 'postgres')))
  const home = !user || (await isReachableBy(dataDirectory, user)) ? dataDirectory : fallback
  if (home === fallback) {
    await makePublic(sharedDirectory)
    await makePublic(fallback)
    log.warn({ directory: fallback }, `the data of ${dataDirectory} is kept where the user of PostgreSQL can reach it`)
  }
  const bin = await preparePrograms(user, user ? sharedDirectory : dataDirectory)
  const directory = join(home, 'postgres')
  const passwordFile = join(home, 'postgres.password')
  if (!(await exists(directory))) await initialise({ bin, user, directory }, passwordFile)
  const password = await readFile(passwordFile, 'utf8').catch((cause: Error) => {
    throw new StartError(`the password of the embedded PostgreSQL can not be read: ${cause.message}`, { cause })
  })
  return { bin, user, directory, password: password.trim() }
}

async function exists(directory: string): Promise<boolean> {
  return readFile(join(directory, 'PG_VERSION')).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return false
      throw cause
    },
  )
}

/** Creates the cluster in a temporary directory and renames it when it is complete, so that a killed start leaves no half of it. */
async function initialise({ bin, user, directory }: Omit<Cluster, 'password'>, passwordFile: string): Promise<void> {
  const temporary = `${directory}.new`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { mode: 0o700 })
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (user) for (const path of [temporary, passwordFile]) await chown(path, user.uid, user.gid)
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions']
  await runProgram(
    join(bin, 'initdb'),
    ['-D', temporary, '-U', superuser, `--pwfile=${passwordFile}`, ...options],
    user,
  )
  await rename(temporary, directory).catch((cause: Error) => {
    throw new StartError(`${directory} is not the data of a PostgreSQL, and not empty: ${cause.message}`, { cause })
  })
}
