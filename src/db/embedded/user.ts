import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '../../errors.ts'

export interface UnixUser {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, and asks for a user that the system knows. Every common system has one of these. */
const candidates = ['postgres', 'nobody']

/**
 * As whom PostgreSQL runs: as we do, or, where we are root, as the owner of whichever of these clusters is
 * there, else as another user of the system. Throws `StartError`.
 */
export async function postgresUser(clusters: string[] = []): Promise<UnixUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const cluster of clusters) {
    const owner = await stat(cluster).catch(() => undefined)
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
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

/** Whatever the umask: a directory that everybody may enter. */
export async function makePublic(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o755)
}
