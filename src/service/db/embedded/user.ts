import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '../../../core/errors.ts'

export interface UnixUser {
  uid: number
  gid: number
}

/** PostgreSQL does not run as root, and needs a user of the system. Every common system has one of these. */
const candidates = ['postgres', 'nobody']

/**
 * The user that runs PostgreSQL; undefined for the user of this process. If that is root: the owner of the first of these
 * clusters that exists, or else another user of the system. Throws `StartError`.
 */
export async function postgresUser(clusters: string[] = []): Promise<UnixUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const cluster of clusters) {
    const owner = await stat(cluster).catch(() => undefined)
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  const users = await readFile('/etc/passwd', 'utf8')
  for (const name of candidates) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? []
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')}. Start Headsup as another user, or set DATABASE_URL.`,
  )
}

/** Whether the user may enter every directory of the path. */
export async function isReachableBy(path: string, { uid, gid }: UnixUser): Promise<boolean> {
  for (let directory = path; ; directory = dirname(directory)) {
    const { mode, uid: owner, gid: group } = await stat(directory)
    const mayEnter = owner === uid ? mode & 0o100 : group === gid ? mode & 0o010 : mode & 0o001
    if (!mayEnter) return false
    if (directory === dirname(directory)) return true
  }
}

/** Makes a directory that all users may enter, whatever the umask. */
export async function makePublic(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o755)
}
