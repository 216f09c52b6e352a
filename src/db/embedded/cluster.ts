import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../errors.ts'
import type { Log } from '../../lib/log.ts'
import { type Programs, preparePrograms, runProgram } from './programs.ts'
import { isReachableBy, makePublic, postgresUser, type UnixUser } from './user.ts'

/** A data directory of PostgreSQL, what runs it, and as whom. */
export interface Cluster {
  programs: Programs
  /** As whom the programs run, where that is not ourselves. */
  user: UnixUser | undefined
  directory: string
  password: string
}

/** PostgreSQL's own administrator, and the only role there is. */
export const superuser = 'headsup'

/** Where programs and data go when the user who runs PostgreSQL can't reach their usual place. */
const sharedPlace = '/var/lib/headsup'

/** The data of a data directory, made where there is none yet. Its lock has to be held. Throws `StartError`. */
export async function prepareCluster(place: string, log: Log): Promise<Cluster> {
  const moved = join(sharedPlace, createHash('sha256').update(place).digest('hex').slice(0, 16))
  const user = await postgresUser([place, moved].map((home) => join(home, 'postgres')))
  const home = !user || (await isReachableBy(place, user)) ? place : moved
  if (home === moved) {
    await makePublic(sharedPlace)
    await makePublic(moved)
    log.warn({ directory: moved }, `the data of ${place} is kept where the user of PostgreSQL can reach it`)
  }
  const programs = await preparePrograms(user, user ? sharedPlace : place)
  const directory = join(home, 'postgres')
  const passwordFile = join(home, 'postgres.password')
  if (!(await isMade(directory))) await initialise({ programs, user, directory }, passwordFile)
  const password = await readFile(passwordFile, 'utf8').catch((cause: Error) => {
    throw new StartError(`the password of the embedded PostgreSQL can not be read: ${cause.message}`, { cause })
  })
  return { programs, user, directory, password: password.trim() }
}

async function isMade(directory: string): Promise<boolean> {
  return readFile(join(directory, 'PG_VERSION')).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return false
      throw cause
    },
  )
}

/** Makes the cluster beside its place and moves it there when it is whole: a start that is killed leaves nothing half made. */
async function initialise(
  { programs, user, directory }: Omit<Cluster, 'password'>,
  passwordFile: string,
): Promise<void> {
  const fresh = `${directory}.new`
  const passed = `${passwordFile}.new`
  const password = randomBytes(24).toString('hex')
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  for (const path of [passwordFile, passed]) {
    await rm(path, { force: true })
    await writeFile(path, password, { mode: 0o600 })
  }
  if (user) for (const path of [fresh, passed]) await chown(path, user.uid, user.gid)
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions']
  try {
    await runProgram(programs.program('initdb'), ['-D', fresh, '-U', superuser, `--pwfile=${passed}`, ...options], user)
  } finally {
    await rm(passed, { force: true })
  }
  await rename(fresh, directory).catch((cause: Error) => {
    throw new StartError(`${directory} is not the data of a PostgreSQL, and not empty: ${cause.message}`, { cause })
  })
}
