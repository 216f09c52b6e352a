import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { escapeGlob } from '../../scope/glob/escape.ts'
import { usageFault } from '../failure.ts'

export interface Here {
  top: string
  cwd: string
}

export interface Given {
  /** From the top. */
  glob: string
  /** Where the path may have been meant otherwise, in words. */
  note?: string
}

/**
 * The path that a person named as a glob from the top. What is there is taken for that very file or directory, anything
 * else for a glob, from the directory that the person is in. One that begins with `/` is from the root of the machine
 * where that leads into the work tree, else from the top.
 */
export function givenGlob(text: string, { top, cwd }: Here): Given {
  if (text === '') throw usageFault('A path is empty. For everything, name the top: /')
  if (/^\/+$/.test(text)) return { glob: '**' }
  const found = resolve(cwd, text)
  const path = fromTop(found, top) ?? (isAbsolute(text) ? fromTop(realPath(found), top) : undefined)
  if (path !== undefined && existsSync(found)) return { glob: pathGlob(path, lstatSync(found).isDirectory()) }
  if (path !== undefined && isAbsolute(text)) return { glob: text.endsWith('/') ? `${path}/` : path }
  if (text.startsWith('/')) return fromRoot(text, top)
  const steps = /^(?:\.\.?\/)+/.exec(text)?.[0] ?? ''
  const directory = fromTop(resolve(cwd, steps), top)
  if (directory === undefined) throw usageFault(`${text} is outside of the work tree ${top}.`)
  const rest = text.slice(steps.length)
  return { glob: directory === '' ? rest : `${escapeGlob(directory)}/${rest}` }
}

/** With a note where the machine has what the path begins with, and the repository does not. */
function fromRoot(text: string, top: string): Given {
  const glob = text.replace(/^\/+/, '')
  const first = glob.split('/')[0] ?? ''
  if (!existsSync(`/${first}`) || existsSync(join(top, first))) return { glob }
  return { glob, note: `${text} is outside of the work tree ${top}: taken from its top, as ${glob}.` }
}

/** The nearest directory above that exists. */
export function existing(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : existing(dirname(directory))
}

/** git knows its work tree by its real path; the file itself may not be there yet. */
export function realPath(file: string): string {
  const directory = dirname(file)
  const found = existing(directory)
  return join(realpathSync(found), directory.slice(found.length), basename(file))
}

/** A path as git writes it; undefined outside of the work tree. */
export function fromTop(path: string, top: string): string | undefined {
  const found = relative(top, path)
  if (found === '..' || found.startsWith(`..${sep}`) || isAbsolute(found)) return undefined
  return sep === '/' ? found : found.replaceAll(sep, '/')
}

function pathGlob(path: string, isDirectory: boolean): string {
  if (path === '') return '**'
  return isDirectory ? `${escapeGlob(path)}/**` : escapeGlob(path)
}
