import { existsSync, lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exitCodes, Failure } from '../../failure.ts'
import { isOwnPlugin, pluginPath, pluginText } from './plugin-file.ts'

/** Writes the plugin. Returns whether it was changed. */
export function installPlugin(top: string, command: string): boolean {
  const file = join(top, pluginPath)
  const before = readPlugin(file)
  const text = pluginText(command)
  if (before === text) return false
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return true
}

/** Removes the plugin, and its directories where these are empty then. Returns whether it was there. */
export function uninstallPlugin(top: string): boolean {
  const file = join(top, pluginPath)
  if (readPlugin(file) === undefined) return false
  rmSync(file)
  try {
    rmdirSync(dirname(file))
    rmdirSync(dirname(dirname(file)))
  } catch {
    // Other files are there.
  }
  return true
}

/** Our own plugin; undefined where there is no file. Throws where the file is somebody else's. */
function readPlugin(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  if (isOwnPlugin(text) && !lstatSync(file).isSymbolicLink()) return text
  throw new Failure(exitCodes.refused, `${file} was not written by headsup: left as it is.`)
}
