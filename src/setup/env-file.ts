import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Variables } from './credentials.ts'
import { withVariables } from './env-text.ts'

/** Throws where `updateEnvFile` could not write variables of these names. Changes nothing. */
export async function checkEnvFile(path: string, names: readonly string[]): Promise<void> {
  const target = await targetOf(path)
  // Written in quotation marks. After one that was left open, dotenv would take the `#` for a comment.
  withVariables(await textOf(target), Object.fromEntries(names.map((name) => [name, '#'])))
  await access(dirname(target), constants.W_OK)
}

/**
 * Sets the variables in the file and makes it readable by its owner alone. The file is replaced in one step, so a crash leaves
 * the old one whole.
 */
export async function updateEnvFile(path: string, variables: Variables): Promise<void> {
  const target = await targetOf(path)
  const text = withVariables(await textOf(target), variables)
  const owner = await orAbsent(stat(target))
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      // Only root can write the file of another user and leave it theirs.
      if (owner && owner.uid !== (await file.stat()).uid) await file.chown(owner.uid, owner.gid)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The file itself where the path is a symbolic link, so that the link stays. */
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
