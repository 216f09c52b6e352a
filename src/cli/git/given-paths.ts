import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { escapeGlob } from '../../core/scope/glob/escape.ts'
import { usageError } from '../failure.ts'

export interface WorkingDirectory {
  top: string
  cwd: string
}

export interface GivenGlob {
  /** From the top of the work tree. */
  glob: string
  /** Set where the path may mean another place, as a sentence. */
  note?: string
}

/**
 * The glob, from the top of the work tree, of a path that the user names. An existing path means that file or directory;
 * anything else is a glob from the current directory. A path that starts with `/` is absolute where that leads into the
 * work tree, else it is from the top.
 */
export function givenGlob(text: string, { top, cwd }: WorkingDirectory): GivenGlob {
  if (text === '') throw usageError('A path is empty. Use / for the whole repository.')
  if (/^\/+$/.test(text)) return { glob: '**' }
  const found = resolve(cwd, text)
  const path = fromTop(found, top) ?? (isAbsolute(text) ? fromTop(realPath(found), top) : undefined)
  if (path !== undefined && existsSync(found)) return { glob: pathGlob(path, lstatSync(found).isDirectory()) }
  if (path !== undefined && isAbsolute(text)) return { glob: text.endsWith('/') ? `${path}/` : path }
  if (text.startsWith('/')) return fromTopWithNote(text, top)
  const steps = /^(?:\.\.?(?:\/|$))+/.exec(text)?.[0] ?? ''
  const directory = fromTop(resolve(cwd, steps), top)
  if (directory === undefined) throw usageError(`${text} is outside of the work tree ${top}.`)
  const rest = text.slice(steps.length)
  return { glob: directory === '' ? rest : `${escapeGlob(directory)}/${rest}` }
}

/** Adds a note where the first part of the path exists in the root directory and not in the work tree. */
function fromTopWithNote(text: string, top: string): GivenGlob {
  const glob = text.replace(/^\/+/, '')
  const first = glob.split('/')[0] ?? ''
  if (!existsSync(`/${first}`) || existsSync(join(top, first))) return { glob }
  return { glob, note: `${text} is outside of the work tree ${top}, so it means ${glob} from its top.` }
}

/** The directory, or its nearest parent that exists. */
export function nearestExisting(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearestExisting(dirname(directory))
}

/** The path with all links in its directory resolved, as git reports the work tree. The file need not exist. */
export function realPath(file: string): string {
  const directory = dirname(file)
  const found = nearestExisting(directory)
  return join(realpathSync(found), directory.slice(found.length), basename(file))
}

/** A path from the top of the work tree, with slashes; undefined outside of it. */
export function fromTop(path: string, top: string): string | undefined {
  const found = relative(top, path)
  if (found === '..' || found.startsWith(`..${sep}`) || isAbsolute(found)) return undefined
  return sep === '/' ? found : found.replaceAll(sep, '/')
}

function pathGlob(path: string, isDirectory: boolean): string {
  if (path === '') return '**'
  return isDirectory ? `${escapeGlob(path)}/**` : escapeGlob(path)
}
