import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parse } from 'dotenv'

/** Why the set-up can not go on, for the person who runs it. */
export class SetupError extends Error {}

/**
 * Opens `.env` to append these variables, and lets its owner alone read it. A link is not followed: it could lead to a file of
 * somebody else. Throws `SetupError` where one of the variables is there already.
 */
export async function openEnvFile(path: string, names: readonly string[]): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const file = await open(path, flags, 0o600).catch((error: Error) => {
    throw new SetupError(`${path} can not be written: ${error.message}`)
  })
  const known = parse(await file.readFile('utf8'))
  const there = names.filter((name) => known[name] !== undefined && known[name] !== '')
  if (there.length === 0) return file
  await file.close()
  throw new SetupError(`${path} has ${there.join(', ')} already: an App is set up. Take it out to register another.`)
}

export async function appendVariables(file: FileHandle, variables: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}\n`)
  await file.chmod(0o600)
  // The last line of the file may have no end.
  await file.appendFile(`\n${lines.join('')}`)
  await file.sync()
}

/** As dotenv reads it back: a key has several lines. */
function quoted(value: string): string {
  if (/^[\w.+/=@:-]+$/.test(value)) return value
  if (/["\\]/.test(value)) throw new SetupError('GitHub sent a value that .env can not hold.')
  return `"${value.replaceAll('\n', '\\n')}"`
}
