import { mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StartError } from '../../../core/errors.ts'
import { messageOf } from '../../lib/log.ts'

/** The real path of the data directory. Creates it if it does not exist. Throws `StartError`. */
export async function makeDataDirectory(given: string): Promise<string> {
  const path = resolve(given)
  try {
    await make(path)
    return await realpath(path)
  } catch (cause) {
    throw new StartError(`the data directory ${path} can not be made (HEADSUP_DATA_DIR): ${messageOf(cause)}`, {
      cause,
    })
  }
}

/** Turns errors of the file system into `StartError`: the operator has to fix them, and a stack trace does not help. */
export function asStartError(directory: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new StartError(`the data directory ${directory} can not be used (HEADSUP_DATA_DIR): ${error.message}`, {
    cause: error,
  })
}

/** Creates one directory at a time: the recursive `mkdir` of Node 20 never returns if a parent accepts no directory. */
async function make(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) return assertDirectory(path, error)
    await make(dirname(path))
    await mkdir(path).catch((again: unknown) => assertDirectory(path, again))
  }
}

/** The directory may exist already, or another start made it. Otherwise throws the cause. */
async function assertDirectory(path: string, error: unknown): Promise<void> {
  if (codeOf(error) !== 'EEXIST') throw error
  const found = await stat(path).catch((absent: unknown) => {
    throw codeOf(absent) === 'ENOENT' ? new Error(`${path} is a link that leads nowhere`) : absent
  })
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`)
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}
