import { existsSync, lstatSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { escapeGlob } from '../scope/escape.ts'
import { usageFault } from './failure.ts'

export interface Here {
  top: string
  cwd: string
}

/**
 * The path that a person named as a glob from the top. What is there is taken for that very file or directory, anything
 * else for a glob, from the directory that the person is in; one that begins with `/` is from the top.
 */
export function givenGlob(text: string, { top, cwd }: Here): string {
  if (text === '') throw usageFault('A path is empty. For everything, name the top: /')
  if (/^\/+$/.test(text)) return '**'
  const found = resolve(cwd, text)
  if (existsSync(found)) {
    const path = fromTop(found, top)
    if (path !== undefined) return pathGlob(path, lstatSync(found).isDirectory())
  }
  if (text.startsWith('/')) return text.slice(1)
  const steps = /^(?:\.\.?\/)+/.exec(text)?.[0] ?? ''
  const directory = fromTop(resolve(cwd, steps), top)
  if (directory === undefined) throw usageFault(`${text} is outside of the work tree ${top}.`)
  const rest = text.slice(steps.length)
  return directory === '' ? rest : `${escapeGlob(directory)}/${rest}`
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
