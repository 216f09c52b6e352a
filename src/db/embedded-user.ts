import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '../errors.ts'

export interface UnixUser {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root. These users of common systems own nothing that it could harm. */
const candidates = ['postgres', 'nobody']

/** As whom PostgreSQL runs: as we do, or, where we are root, as another user of the system. Throws `StartError`. */
export async function postgresUser(): Promise<UnixUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of candidates) {
    const [, , uid, gid] = lines.find(([user]) => user === name) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')}. Start Headsup as another user, or set DATABASE_URL.`,
  )
}

/** Whether that user can enter every directory on the way to the path. */
export async function isReachableBy(path: string, { uid, gid }: UnixUser): Promise<boolean> {
  for (let directory = path; ; directory = dirname(directory)) {
    const { mode, uid: owner, gid: group } = await stat(directory)
    const mayEnter = owner === uid ? mode & 0o100 : group === gid ? mode & 0o010 : mode & 0o001
    if (!mayEnter) return false
    if (directory === dirname(directory)) return true
  }
}
