import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Variables } from './credentials.ts'
import { withVariables } from './env-text.ts'

/** Throws if `updateEnvFile` could not write variables of these names. Changes nothing. */
export async function checkEnvFile(path: string, names: readonly string[]): Promise<void> {
  const target = await targetOf(path)
  // `#` is written in quotation marks. If the file has an open quotation mark, dotenv reads a comment there, and this throws.
  withVariables(await textOf(target), Object.fromEntries(names.map((name) => [name, '#'])))
  await access(dirname(target), constants.W_OK)
}

/**
 * Sets the variables in the file, and makes it readable only by its owner. The file is replaced in one step, so a crash
 * does not leave half a file.
 */
export async function updateEnvFile(path: string, variables: Variables): Promise<void> {
  const target = await targetOf(path)
  const text = withVariables(await textOf(target), variables)
  const owner = await orAbsent(stat(target))
  const temporary = `${target}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      // Only root can give a file to another user.
      if (owner && owner.uid !== (await file.stat()).uid) await file.chown(owner.uid, owner.gid)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Follows a symbolic link, so that its target is replaced and not the link. */
async function targetOf(path: string): Promise<string> {
  return (await orAbsent(realpath(path))) ?? path
}

async function textOf(path: string): Promise<string> {
  return (await orAbsent(readFile(path, 'utf8'))) ?? ''
}

async function orAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
